/** Writes quotas as bars: the limit is the whole bar, unless something is longer. */
import { bareText, type Gauge, type Row, type Text, word } from "../view";
import { actionHtml, headHtml, inline } from "./inline";

/** An item for each row with a gauge. */
export function quotasHtml(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => {
    const { action, count, members, cells = [], gauge = {} } = row;
    const head = headHtml(members === undefined ? row : { ...row, name: [word(`${count} alike`)] });
    const [quota = [], limit = [], usage] = cells;
    const { limit: most, used: amount } = gauge;
    const share = amount !== undefined && typeof most === "number" && most > 0 ? amount / most : undefined;
    const words = [
      usage === undefined
        ? ""
        : `<span>${amount === undefined ? "usage not known" : `${inlineNumber(usage)} used`}${share === undefined ? "" : ` <b${share > 1 ? ' class="danger"' : ""}>${Math.round(share * 100)}%</b>`}</span>`,
      `<span>${bareText(limit) === "no limit" ? "<b>no limit</b>" : `limit ${inlineNumber(limit)}`}</span>`,
    ];
    return `<li class="s row quota"><div class="head">${actionHtml(action)}${head}</div><div class="about">${inline(quota)}</div>${barHtml(gauge)}<div class="amounts">${words.join(" ")}</div>`;
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

/** The limit, the limit before, and the usage. The words next to it have the same content. */
function barHtml({ limit, before, used: amount = 0 }: Gauge): string {
  const scale = Math.max(1, limit ?? 0, before ?? 0, amount);
  const share = (part: number) => Math.round((Math.max(0, part) / scale) * BAR.width);
  const rect = (css: string, part: number | undefined) =>
    part === undefined ? "" : `<rect class="${css}" width="${share(part)}" height="${BAR.height}"/>`;
  const isOver = typeof limit === "number" && amount > limit;
  const [usage, bound] = [
    rect(isOver ? "used over" : "used", amount === 0 ? undefined : amount),
    rect("limit", limit ?? undefined),
  ];
  const tick =
    typeof before === "number"
      ? `<rect class="before" x="${share(before) - 1}" width="2" height="${BAR.height}"/>`
      : "";
  return `<svg class="bar${limit === null ? " open" : ""}" viewBox="0 0 ${BAR.width} ${BAR.height}" preserveAspectRatio="none" aria-hidden="true">${isOver ? usage + bound : bound + (limit === null ? "" : usage)}${tick}</svg>`;
}
