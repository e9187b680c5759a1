import { Fragment } from "react";

/** An email address that breaks into lines after the @ and the dots first. */
export function EmailAddress({ email }: { email: string }) {
  return email.split(/(?<=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal, and keep their places.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
