// The mail that tells a visitor that the message has arrived. Off unless CONTACT_CONFIRMATION is on:
// anyone can type anyone's address into the form.
import type { Mail } from "./mail.ts";

const subject = "We have received your message";
const paragraphs = [
  "Thank you for writing to us. Your message has arrived, and we will answer it personally.",
  "If you did not write to us, someone else typed your address into the form on our website. There is nothing you need to do.",
];

/** Carries nothing that the visitor wrote, so that nobody can send words of his own to a stranger. */
export function composeConfirmation(id: string, visitor: string, from: string, to: string): Mail {
  return {
    id: `${id}.confirmation`,
    from,
    to: visitor,
    replyTo: { name: "", address: to },
    subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#222">
${paragraphs.map((text) => `<p style="max-width:640px">${text}</p>`).join("\n")}
</body>
</html>
`,
    isAutomatic: true,
  };
}
