import { useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { fieldText, messageOf, useFormSubmit } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { Button, CopyButton } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { EmptyList, PagedList } from "../list-toolbar.tsx";
import { focusHeading, PageData, PageFrame } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import {
  addRequest,
  loadRequests,
  requestMail,
  requestUrl,
  revokeRequest,
  stateOf,
  type TestimonialRequest,
} from "./requests.ts";

export function load({ url }: LoadArgs) {
  const page = pageOf(url.search);
  return { page, list: loadRequests(page) };
}

export default function RequestsPage({ data }: { data: ReturnType<typeof load> }) {
  return (
    <PageData data={data.list} of={data.page}>
      {(list) => (
        <PageFrame>
          <div className="mt-8 grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] lg:items-start">
            <RequestForm />
            <section aria-labelledby="links">
              <h2 id="links" className="text-2xl">
                Links
              </h2>
              <PagedList
                items="links"
                path="/manage/testimonials/requests"
                list={list}
                empty={<EmptyList title="No links yet" />}
              >
                {(rows) => (
                  <ul
                    aria-labelledby="links"
                    className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
                  >
                    {rows.map((request) => (
                      <RequestItem key={request.token} request={request} />
                    ))}
                  </ul>
                )}
              </PagedList>
            </section>
          </div>
        </PageFrame>
      )}
    </PageData>
  );
}

function RequestForm() {
  const { revalidate } = useRevalidator();
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: "testimonial-request",
    send: async (form) =>
      addRequest(await getBrowserClient(), fieldText(form, "name"), fieldText(form, "email")),
    sent: { title: "Link created", description: "Copy it, or send it from your mail program." },
    onSent: revalidate,
    describeFailure: (error) => ({ title: "Creating failed", description: messageOf(error) }),
  });
  return (
    <form
      {...formProps}
      className="space-y-4 rounded-lg border border-line bg-surface p-6 shadow-card sm:p-8"
    >
      <h2 className="text-2xl">A new link</h2>
      <TextField label="Client's name" name="name" required maxLength={100} autoComplete="off" />
      <TextField
        label="Email (Optional)"
        name="email"
        type="email"
        maxLength={320}
        autoComplete="off"
      />
      <FormFailure text={failure} />
      <Button look="primary" size="normal" className="w-full" type="submit" disabled={submitting}>
        {submitting ? "Creating..." : "Create link"}
      </Button>
    </form>
  );
}

function RequestItem({ request }: { request: TestimonialRequest }) {
  const { name, email, token, used_at, expires_at } = request;
  const { firm, contact } = useSite();
  const { revalidate } = useRevalidator();
  const url = requestUrl(request, window.location.origin);
  const state = stateOf(request);
  const moment = (iso: string) => formatMoment(iso, contact.timeZone);
  const states = {
    open: `Open until ${moment(expires_at)}`,
    used: `Used ${moment(used_at ?? "")}`,
    expired: `Expired ${moment(expires_at)}`,
  };
  return (
    <li className="p-5 wrap-anywhere">
      <h3 className="font-sans text-base font-semibold">{name}</h3>
      <p className="text-sm text-muted">{[email, states[state]].filter(Boolean).join(" · ")}</p>
      {state === "open" && (
        <>
          <TextField
            label={<span className="sr-only">Link for {name}</span>}
            value={url}
            readOnly
            onFocus={(event) => event.target.select()}
          />
          <div className="mt-3 flex flex-wrap gap-3">
            <CopyButton text={url} of={`for ${name}`} />
            <a
              href={requestMail(request, url, firm.name)}
              className={buttonClass("secondary", "small")}
            >
              Write an email<span className="sr-only"> to {name}</span>
            </a>
            <DeleteButton
              label="Revoke"
              target={`the link for ${name}`}
              what="link"
              title="Revoke this link?"
              text={`The link for ${name} stops working at once.`}
              confirm="Revoke"
              success={{ title: "Link revoked", description: "It no longer works." }}
              failure={{ title: "Revoking failed" }}
              onDelete={(client) => revokeRequest(client, token)}
              onDeleted={() => {
                focusHeading();
                revalidate();
              }}
            />
          </div>
        </>
      )}
    </li>
  );
}
