import { isList, isNumber, isObject, isUnknown, type Value } from "../../../values";
import { type Type } from "./type";

/** Whether a value can be sent as one of the given type. */
export function fits(value: Value | undefined, type: Type): boolean {
  if (value === undefined) return false;
  if (value === null || isUnknown(value) || type === "dynamic") return true;
  if (type === "string") return typeof value === "string";
  if (type === "bool") return typeof value === "boolean";
  if (type === "number") return isNumber(value);
  switch (type[0]) {
    case "list":
    case "set":
      return isList(value) && value.every((element) => fits(element, type[1]));
    case "tuple":
      return (
        isList(value) &&
        value.length === type[1].length &&
        type[1].every((member, index) => fits(value[index], member))
      );
    case "map":
      return isObject(value) && Object.values(value).every((element) => fits(element, type[1]));
    case "object": {
      const names = Object.keys(type[1]);
      return (
        isObject(value) &&
        names.length === Object.keys(value).length &&
        names.every((name) => Object.hasOwn(value, name) && fits(value[name], type[1][name] as Type))
      );
    }
  }
}
