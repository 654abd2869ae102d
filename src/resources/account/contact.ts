/** The contact block of an account (spec 2.2), in its written shape. */
import { email, flag, group, text, texts, type Attribute, type Attributes } from "../../schema";

/**
 * Contacts stay objects: both have the same members. Answers show `phone` and `email` as objects; the attribute has the written
 * shape, a text.
 */
export function contact(description: string): Attribute {
  return group(description, contactMembers);
}

/** As {@link contact}, with what the service says of the number and the address: for data sources. */
export function shownContact(description: string): Attribute {
  return group(description, {
    ...contactMembers,
    phone_valid: flag("Whether the number is verified for SMS.").readFrom("phone.valid"),
    email_valid: flag("Whether the address is verified.").readFrom("email.valid"),
  });
}

const contactMembers: Attributes = {
  first_name: text("First name.", { length: [0, 255] }).defaultsTo('""'),
  last_name: text("Last name.", { length: [0, 255] }).defaultsTo('""'),
  company: text("Company.", { length: [0, 255] }),
  address: group("Postal address.", {
    addr: texts("Address lines."),
    city: text("City."),
    state: text("State or province."),
    zip: text("Postal code."),
    country: text("Country.").defaultsTo('"US"'),
  }),
  phone: text("Telephone number.", { length: [0, 24] })
    .readFrom("phone.number")
    .shownMasked(),
  email: email("E-mail address.", { length: [0, 128] })
    .readFrom("email.addr")
    .shownMasked(),
};
