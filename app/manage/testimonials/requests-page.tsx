import { useLocation } from "react-router";
import { testimonialRequests as lengths } from "../../../supabase/functions/_shared/database-limits.ts";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import { useFormSubmit } from "../../forms/use-form-submit.ts";
import { loadPage } from "../../loading/load-page.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { Button, CopyButton } from "../button.tsx";
import { countRows, numberOnly } from "../count-rows.ts";
import { formatMoment } from "../format-moment.ts";
import { EmptyList, listClass, PagedList } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";

/** A link by which one client is asked for a testimonial. */
type TestimonialRequest = Database["public"]["Tables"]["testimonial_requests"]["Row"];

function readLinks(client: Client, page: number) {
  const read = async (first: number, count: number) => {
    const rows = client.from("testimonial_requests").select("*");
    const sorted = rows.order("created_at", { ascending: false }).order("token");
    return (await sorted.range(first, first + count - 1).throwOnError()).data;
  };
  const links = client.from("testimonial_requests").select("*", numberOnly);
  return loadPage(read, () => countRows(links), { size: 20 }, page);
}

export default function RequestsPage() {
  const page = pageOf(useLocation().search);
  const read = (client: Client) => readLinks(client, page);
  return (
    <PageData query={{ key: ["links", page], read, tables: ["testimonial_requests"] }}>
      {(list) => (
        <PageFrame>
          <div className="mt-5 grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] lg:items-start">
            <RequestForm />
            <PagedList
              items="links"
              path="/manage/testimonials/requests"
              list={list}
              empty={<EmptyList title="No links yet" text="Links that you make appear here." />}
            >
              {(rows) => (
                <ul aria-label="Links, newest first" className={listClass}>
                  {rows.map((request) => (
                    <RequestItem key={request.token} request={request} />
                  ))}
                </ul>
              )}
            </PagedList>
          </div>
        </PageFrame>
      )}
    </PageData>
  );
}

function RequestForm() {
  const reload = useReload();
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: "testimonial-request",
    async send(form) {
      const row = {
        name: toOneLine(fieldText(form, "name")),
        email: fieldText(form, "email") || null,
      };
      const client = await getBrowserClient();
      await client.from("testimonial_requests").insert(row).throwOnError();
    },
    sent: { title: "Link created", description: "Copy it, or send it from your mail program." },
    onSent: reload,
    describeFailure: (error) => ({ title: "Creating failed", description: messageOf(error) }),
  });
  return (
    <form {...formProps} className="space-y-4">
      <TextField
        {...{ label: "Client's name", name: "name", autoComplete: "off", maxLength: lengths.name }}
        required
      />
      <TextField label="Email (Optional)" name="email" type="email" maxLength={lengths.email} />
      <FormFailure text={failure} />
      <Button look="primary" type="submit" disabled={submitting}>
        {submitting ? "Creating..." : "Create link"}
      </Button>
    </form>
  );
}

function RequestItem({ request }: { request: TestimonialRequest }) {
  const { name, email, token, used_at, expires_at } = request;
  const { firm, contact } = useSite();
  const reload = useReload();
  const { isRunning, run } = useAction();
  const revoke = () =>
    run(
      async (client) => {
        await client.from("testimonial_requests").delete().eq("token", token).throwOnError();
        await reload();
      },
      { title: "Link revoked", description: "It no longer opens the form." },
      { title: "Revoking failed" },
    );
  // The token is a fragment, which browsers never send to servers.
  const url = `${window.location.origin}/testimonials#review=${token}`;
  const isOpen = !used_at && Date.parse(expires_at) > Date.now();
  const state = used_at ? "Used" : isOpen ? "Open until" : "Expired";
  return (
    <li className="p-4 wrap-anywhere">
      <h2 className="text-base">{name}</h2>
      <p className="text-sm text-muted">
        {`${email ? `${email}, ` : ""}${state} ${formatMoment(used_at ?? expires_at, contact.timeZone)}`}
      </p>
      {isOpen && (
        <>
          <p className="mt-1 text-sm">{url}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <CopyButton text={url} of={`for ${name}`} />
            <a
              href={requestMail(request, url, firm.name)}
              className={buttonClass("secondary", "small")}
            >
              Write an email<span className="sr-only">{` to ${name}`}</span>
            </a>
            <Button look="quietDanger" disabled={isRunning} onClick={revoke}>
              Revoke link<span className="sr-only">{` for ${name}`}</span>
            </Button>
          </div>
        </>
      )}
    </li>
  );
}

/** Opens an email with the link in the owner's mail program. A name cannot add recipients or headers. */
export function requestMail(
  { name, email }: Pick<TestimonialRequest, "name" | "email">,
  url: string,
  firm: string,
): string {
  const body = `Hello ${name},\r\n\r\nwould you write a few words about how it was to work with ${firm}? This link opens the form. It works once, for 30 days:\r\n\r\n${url}\r\n\r\nPlease write what you think, good or bad. Your words appear with your name, and the site says that we asked.\r\n\r\nThank you!`;
  const address = encodeURIComponent(email ?? "").replace("%40", "@");
  return `mailto:${address}?subject=${encodeURIComponent(`A review of ${firm}`)}&body=${encodeURIComponent(body)}`;
}
