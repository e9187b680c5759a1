/**
 * A practical e-mail address, with letters of any script: jörg@müller.de. Both sides of the contact form
 * check it: the page in the browser, and the function that receives the message.
 */
export const emailAddress =
  /^(?:[\p{L}\p{M}\p{N}_'+-]+\.)*[\p{L}\p{M}\p{N}_'+-]*[\p{L}\p{M}\p{N}_+-]@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;
