/** The search of the site. Readers ask in sentences, and look for the steps of a task more often than for an error code. */

/**
 * VitePress sends these functions to the browser as text, so they use nothing from outside.
 * @type {import("vitepress").DefaultTheme.LocalSearchOptions["miniSearch"]}
 */
export const miniSearch = {
  options: {
    processTerm: (term) => {
      const isStopWord =
        /^(a|an|and|are|can|do|does|for|from|get|has|have|how|i|if|in|is|it|its|me|my|of|on|or|our|so|that|the|this|to|was|we|what|when|where|which|who|why|with|you|your)$/i;
      return isStopWord.test(term) ? null : term.toLowerCase();
    },
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    boostDocument: (id) =>
      /^\/(how-to|learn)\//.test(id) ? 3 : /typescript|contributing/.test(id) ? 0.3 : 1,
  },
};
