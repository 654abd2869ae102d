import { ExpressionFailed } from "../../errors";
import { isUnknown, Unknown } from "../../values";
import { asPrimitive } from "../conversions/convert";
import { describeType, typeOf } from "../conversions/type";
import { MAX_TEXT } from "../limits";
import { mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "../marks";

const LATER = new Unknown({ notNull: true });

/** Joins the parts of a template as text; unknown where one of them is. */
export function joinText(parts: Iterable<Marked>): Marked {
  let text = "";
  let unknown = false;
  let marks: Marks = NO_MARKS;
  for (const part of parts) {
    const value = peel(part);
    marks |= marksOf(part);
    if (isUnknown(value)) unknown = true;
    else text += textOf(value);
    if (text.length > MAX_TEXT) throw new ExpressionFailed("the string becomes too long");
  }
  return mark(unknown ? LATER : text.normalize(), marks);
}

function textOf(value: Marked): string {
  if (value === null) {
    throw new ExpressionFailed("the value is null, and cannot be part of a string", {
      advice: `Use coalesce(…, "") where null is to become an empty string.`,
    });
  }
  const text = asPrimitive(value, "string");
  if (typeof text !== "string") {
    throw new ExpressionFailed(`a ${describeType(typeOf(value))} cannot be part of a string`, {
      advice: "Use join(…) for a list, jsonencode(…) for everything else.",
    });
  }
  return text;
}
