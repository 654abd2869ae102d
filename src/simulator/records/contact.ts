/** A contact block as it is stored (spec 2.2). */
import type { ContactGiven } from "../parameters/account";
import { newVerificationToken } from "./identity";

export interface Contact {
  readonly first_name: string;
  readonly last_name: string;
  readonly company?: string;
  readonly address: {
    readonly addr: readonly string[];
    readonly city?: string;
    readonly state?: string;
    readonly zip?: string;
    readonly country: string;
  };
  readonly phone?: { readonly number: string; readonly valid: boolean; readonly token: string };
  readonly email?: { readonly addr: string; readonly valid: boolean; readonly token: string };
}

export const EMPTY_CONTACT: Contact = {
  first_name: "",
  last_name: "",
  address: { addr: [], country: "US" },
};

/** The contact with the given members changed. A new number or address is not verified yet. */
export function updateContact(contact: Contact, given: ContactGiven): Contact {
  const { address, phone, email, ...names } = given;
  return {
    ...contact,
    ...names,
    address: { ...contact.address, ...address },
    ...(phone !== undefined &&
      phone !== contact.phone?.number && {
        phone: { number: phone, valid: false, token: newVerificationToken() },
      }),
    ...(email !== undefined &&
      email !== contact.email?.addr && {
        email: { addr: email, valid: false, token: newVerificationToken() },
      }),
  };
}
