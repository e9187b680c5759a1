import { type FormEvent, type ReactNode, useRef } from "react";
import { useLocation, useParams } from "react-router";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { sampleTestimonials } from "../../testimonials/sample-testimonials.ts";
import { AboutReviewer, disclosureOf } from "../../testimonials/testimonial-card.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { StarShape, Stars } from "../../ui/stars.tsx";
import { Button, ButtonLink, TextLink } from "../button.tsx";
import { type ConsentRecord, WithdrawalForm, WithdrawalNote } from "../consent-records.tsx";
import { formatMoment } from "../format-moment.ts";
import { EmptyList, FilterLinks, PagedList } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { leaveRow, neighborOf, PageData, PageFrame } from "../manage-frame.tsx";
import { SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import DeleteTestimonialButton from "./delete-testimonial-button.tsx";
import {
  changeTestimonial,
  type Decision,
  decisionOf,
  decisions,
  readTestimonialList,
  type StoredTestimonial,
  type TestimonialList,
} from "./manage-testimonials.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";
import { TestimonialEditor } from "./testimonial-editor.tsx";

const emptyTitles: Record<Decision, string> = {
  waiting: "Nothing waits for you",
  approved: "No testimonials on the site",
  refused: "No testimonial was refused",
};

function pathOf(decision: Decision): string {
  return `/manage/testimonials${decision === "waiting" ? "" : `/${decision}`}`;
}

export default function TestimonialsPage() {
  const page = pageOf(useLocation().search);
  const requested = useParams().decision?.toLowerCase();
  const decision = keysOf(decisions).find((each) => each === requested) ?? "waiting";
  return (
    <PageData
      query={{
        key: ["testimonials", decision, page],
        read: (client: Client) => readTestimonialList(client, decision, page),
        tables: ["testimonials", "consent_withdrawals"],
      }}
    >
      {(loaded) => <ModerationList {...loaded} />}
    </PageData>
  );
}

function ModerationList({ decision, list, counts, consents }: TestimonialList) {
  const { testimonials, closed } = useSite();
  const reload = useReload();

  return (
    <PageFrame
      button={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/manage/testimonials/decisions">Shown and refused</ButtonLink>
          <ButtonLink to="/manage/testimonials/requests" look="primary">
            Ask a client
          </ButtonLink>
        </div>
      }
    >
      {!closed.includes("/testimonials") && (
        <p className="mt-4 max-w-2xl text-lg text-muted">
          {testimonials.approveFirst
            ? "A new testimonial waits here until you approve or refuse it. Visitors see only what is on the site."
            : "A new testimonial is on the site at once. In the settings of the testimonials, you can let new testimonials wait until you have read them."}
        </p>
      )}
      <FilterLinks
        label="Testimonials"
        filters={decisions}
        current={decision}
        counts={counts}
        pathOf={pathOf}
      />
      {decision === "approved" && testimonials.samples && (
        <p className="mt-5 text-muted">
          <span>{`Visitors also see ${sampleTestimonials.length} built-in samples, which go with `}</span>
          <TextLink to="/manage/settings/site">all sample content</TextLink>.
        </p>
      )}
      <StarShape />
      <PagedList
        items="testimonials"
        path={pathOf(decision)}
        list={list}
        empty={<EmptyList title={emptyTitles[decision]} />}
      >
        {(rows) => (
          <ul aria-label={`${decisions[decision]}, newest first`} className="mt-6 space-y-4">
            {rows.map((testimonial) => (
              <ModerationItem
                key={testimonial.id}
                testimonial={testimonial}
                consent={consents.find(({ subject_id }) => subject_id === testimonial.id)}
                onLeft={(neighbor) => {
                  leaveRow(neighbor);
                  reload();
                }}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </PageFrame>
  );
}

interface ModerationItemProps {
  testimonial: StoredTestimonial;
  consent: ConsentRecord | undefined;
  /** @param neighbor the first button of the next testimonial, else of the previous one */
  onLeft: (neighbor: HTMLElement | null) => void;
}

/** One testimonial with what to decide about it: the text comes before the stars. */
function ModerationItem({ testimonial, consent, onLeft }: ModerationItemProps) {
  const { name, content, rating, created_at } = testimonial;
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const reload = useReload();
  const item = useRef<HTMLLIElement>(null);

  function decide(reason: RefusalReason | null) {
    return run(
      async (client) => {
        await changeTestimonial(client, testimonial, decisionOf(reason));
        onLeft(neighborOf(item.current));
      },
      reason
        ? {
            title: "Testimonial refused",
            description: `The testimonial by ${name} is under 'Refused'.`,
          }
        : {
            title: "Testimonial approved",
            description: `The testimonial by ${name} is on the site.`,
          },
      { title: reason ? "Refusing failed" : "Approving failed" },
    );
  }

  function refuse(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The required select has only these values.
    decide(new FormData(event.currentTarget).get("reason") as RefusalReason);
  }

  return (
    <li ref={item}>
      <article
        aria-label={`Testimonial by ${name}`}
        className="rounded-lg border border-line bg-surface p-5 sm:p-6"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 className="font-sans text-base font-semibold wrap-anywhere">
            <span>{name}</span>
            <AboutReviewer testimonial={testimonial} />
          </h2>
          <time dateTime={created_at} className="text-sm text-muted">
            {formatMoment(created_at, timeZone)}
          </time>
        </div>
        <p className="mt-4 max-w-3xl whitespace-pre-line wrap-anywhere">{content}</p>
        <div className="mt-3">
          <Stars rating={rating} />
        </div>
        <Facts testimonial={testimonial} consent={consent} />
        <Withdrawn testimonial={testimonial} consent={consent}>
          <Button
            of={`the testimonial by ${name}`}
            disabled={isRunning}
            onClick={() => decide("withdrawn")}
          >
            {testimonial.approved_at ? "Take it off the site" : "Refuse it"}
          </Button>
        </Withdrawn>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          {!testimonial.approved_at && (
            <Button
              look="primary"
              of={`the testimonial by ${name}`}
              disabled={isRunning}
              onClick={() => decide(null)}
            >
              Approve
            </Button>
          )}
          {!testimonial.refused_at && (
            <form className="flex flex-wrap gap-2" onSubmit={refuse}>
              <SelectField
                inline
                label={`Reason to refuse the testimonial by ${name}`}
                name="reason"
                required
                none="Reason..."
                options={Object.entries(refusalReasons)}
              />
              <Button type="submit" of={`the testimonial by ${name}`} disabled={isRunning}>
                {testimonial.approved_at ? "Take off the site" : "Refuse"}
              </Button>
            </form>
          )}
          <DeleteTestimonialButton
            testimonial={testimonial}
            className=""
            onDeleted={() => onLeft(neighborOf(item.current))}
          />
        </div>
        {consent && !consent.withdrawal && (
          <WithdrawalForm
            consent={consent.id}
            summary="Record a withdrawal of the consent"
            of={`to publish the testimonial by ${name}`}
            help="The testimonial stays as it is until you take it off the site or refuse it."
            sent={{
              title: "Withdrawal recorded",
              description: testimonial.approved_at
                ? "Visitors can still read the testimonial. Take it off the site."
                : "Visitors cannot read the testimonial.",
            }}
            onRecorded={reload}
          />
        )}
        <TestimonialEditor testimonial={testimonial} />
      </article>
    </li>
  );
}

type KnownTestimonial = Omit<ModerationItemProps, "onLeft">;

function Withdrawn(props: KnownTestimonial & { children: ReactNode }) {
  const { testimonial, consent, children } = props;
  const { withdrawal, other_withdrawal } = consent ?? {};
  if (withdrawal) {
    const state = testimonial.approved_at
      ? " Visitors can still read the testimonial."
      : testimonial.refused_at
        ? ""
        : " The testimonial still waits.";
    return (
      <WithdrawalNote title={`The consent was withdrawn.${state}`} withdrawal={withdrawal}>
        {!testimonial.refused_at && children}
      </WithdrawalNote>
    );
  }
  if (!other_withdrawal) return null;
  return (
    <WithdrawalNote
      title="The consent to another testimonial of this address was withdrawn."
      withdrawal={other_withdrawal}
    />
  );
}

function Facts({ testimonial, consent }: KnownTestimonial) {
  const { is_sample, may_be_spam, refused_at, refusal_reason, relationship, reply } = testimonial;
  const site = useSite();
  const moment = (iso: string) => formatMoment(iso, site.contact.timeZone);
  const disclosure = is_sample ? "Sample" : disclosureOf(testimonial, site.firm.name);
  const facts = [
    may_be_spam &&
      "This may be spam: it came with text in a field that people cannot see. Robots fill it in, and sometimes a browser does for a person.",
    // The CHECK allows only these reasons.
    refused_at &&
      `Refused ${moment(refused_at)}: ${refusalReasons[refusal_reason as RefusalReason]}.`,
    consent &&
      `Consent ${moment(consent.given_at)}: “${consent.wording}” ${consent.email ?? ""}`.trim(),
    !is_sample && !relationship && "The reviewer was not asked about ties to the firm or payment.",
    disclosure && `In the card: ${disclosure}`,
    reply && `Your reply: ${reply}`,
  ];
  return (
    <ul className="mt-4 max-w-3xl space-y-1.5 text-sm whitespace-pre-line wrap-anywhere empty:hidden">
      {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
    </ul>
  );
}
