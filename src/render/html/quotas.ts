/** Writes quotas as bars: the limit is the whole bar, unless something is longer. */
import { bareText, type Gauge, type Row, type Text } from "../view";
import { actionHtml, inline } from "./inline";

/** An item for each row with a gauge. */
export function quotasHtml(rows: readonly Row[]): readonly string[] {
  return rows.map(({ action, name, cells = [], gauge = {} }) => {
    const [quota = [], limit = [], usedCell] = cells;
    const { limit: most, used: amount } = gauge;
    const share = amount !== undefined && typeof most === "number" && most > 0 ? amount / most : undefined;
    const words = [
      usedCell === undefined
        ? ""
        : `<span>${amount === undefined ? "usage not known" : `${inlineNumber(usedCell)} used`}${share === undefined ? "" : ` <b${share > 1 ? ' class="danger"' : ""}>${Math.round(share * 100)}%</b>`}</span>`,
      `<span>${bareText(limit) === "no limit" ? "<b>no limit</b>" : `limit ${inlineNumber(limit)}`}</span>`,
    ];
    return `<li class="s row quota"><div class="head">${actionHtml(action)}<span class="who">${inline(name)}</span></div><div class="about">${inline(quota)}</div>${barHtml(gauge)}<div class="amounts">${words.join(" ")}</div>`;
  });
}

/** `8,000,000` in place of `8000000`. */
function inlineNumber(text: Text): string {
  return inline(
    text.map((piece) =>
      /^\d+$/.test(piece.text) ? { ...piece, text: BigInt(piece.text).toLocaleString("en") } : piece,
    ),
  );
}

const BAR = { width: 200, height: 12 } as const;

/** The limit, the limit before, and the usage. The words beside it say the same. */
function barHtml({ limit, before, used }: Gauge): string {
  const scale = Math.max(1, limit ?? 0, before ?? 0, used ?? 0);
  const share = (part: number) => Math.round((Math.max(0, part) / scale) * BAR.width);
  const rect = (css: string, part: number | null | undefined) =>
    part === undefined
      ? ""
      : `<rect class="${css}" width="${part === null ? BAR.width : share(part)}" height="${BAR.height}"/>`;
  const isOver = used !== undefined && typeof limit === "number" && used > limit;
  const [usage, bound] = [
    rect(isOver ? "used over" : "used", used),
    rect(limit === null ? "limit none" : "limit", limit),
  ];
  const tick =
    typeof before === "number"
      ? `<rect class="before" x="${share(before) - 1}" width="2" height="${BAR.height}"/>`
      : "";
  return `<svg class="bar" viewBox="0 0 ${BAR.width} ${BAR.height}" preserveAspectRatio="none" aria-hidden="true">${isOver ? usage + bound : bound + (limit === null ? "" : usage)}${tick}</svg>`;
}
