import { type ReactNode, useRef } from "react";
import { useLocation, useParams } from "react-router";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { sampleTestimonials } from "../../testimonials/sample-testimonials.ts";
import { AboutReviewer, disclosureOf } from "../../testimonials/testimonial-card.tsx";
import { MenuItem, MoreMenu } from "../../ui/menu.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { StarShape, Stars } from "../../ui/stars.tsx";
import { Button, ButtonLink, TextLink } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { type ConsentRecord, WithdrawalForm, WithdrawalNote } from "../consent-records.tsx";
import { formatDay, formatMoment } from "../format-moment.ts";
import { EmptyList, FilterLinks, listClass, PagedList, Toolbar } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { leaveRow, neighborOf, PageData, PageFrame } from "../manage-frame.tsx";
import { Badge, SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { DeleteTestimonialDialog } from "./delete-testimonial-button.tsx";
import { DeletedTestimonials } from "./deleted-list.tsx";
import {
  changeTestimonial,
  type Decision,
  decisionOf,
  decisions,
  listSize,
  readTestimonialList,
  type StoredTestimonial,
  type TestimonialCounts,
  type TestimonialList,
  testimonialFilters,
} from "./manage-testimonials.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";
import { TestimonialEditor } from "./testimonial-editor.tsx";

const emptyTitles: Record<Decision, string> = {
  waiting: "Nothing waits for you",
  approved: "No testimonials on the site",
  refused: "No testimonial was refused",
};

type Filter = keyof TestimonialCounts;

function pathOf(filter: Filter): string {
  return `/manage/testimonials${filter === "waiting" ? "" : `/${filter}`}`;
}

export default function TestimonialsPage() {
  const page = pageOf(useLocation().search);
  const requested = useParams().decision?.toLowerCase();
  const decision = keysOf(decisions).find((each) => each === requested) ?? "waiting";
  if (requested === "deleted") {
    return (
      <DeletedTestimonials>
        {(counts, children) => (
          <Frame filter="deleted" counts={counts}>
            {children}
          </Frame>
        )}
      </DeletedTestimonials>
    );
  }
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

interface FrameProps {
  filter: Filter;
  counts: TestimonialCounts;
  children: ReactNode;
}

function Frame({ filter, counts, children }: FrameProps) {
  const { testimonials, closed } = useSite();
  const { tasks } = useAuth();
  return (
    <PageFrame
      button={
        <ButtonLink to="/manage/testimonials/requests" look="primary">
          Ask a client
        </ButtonLink>
      }
    >
      {!closed.includes("/testimonials") && (
        <p className="mt-1 max-w-2xl text-muted">
          <span>
            {testimonials.approveFirst
              ? "A new testimonial waits here until you approve or refuse it."
              : "A new testimonial is on the site at once."}
          </span>{" "}
          {tasks.includes("manage the site") && (
            <TextLink to="/manage/settings/testimonials">Change this</TextLink>
          )}
        </p>
      )}
      <Toolbar
        filters={
          <FilterLinks
            label="Filters of testimonials"
            filters={testimonialFilters}
            current={filter}
            counts={counts}
            pathOf={pathOf}
          />
        }
      />
      {children}
    </PageFrame>
  );
}

function ModerationList({ decision, list, counts, consents }: TestimonialList) {
  const { testimonials } = useSite();
  const reload = useReload();

  return (
    <Frame filter={decision} counts={counts}>
      {decision === "approved" && testimonials.samples && (
        <p className="mt-4 text-sm text-muted">
          <span>{`Visitors also see ${sampleTestimonials.length} built-in samples, which go with `}</span>
          <TextLink to="/manage/settings/site">all sample content</TextLink>.
        </p>
      )}
      <StarShape />
      <PagedList
        items="testimonials"
        path={pathOf(decision)}
        list={list}
        empty={
          <EmptyList title={emptyTitles[decision]}>
            {decision === "refused" ? (
              <ButtonLink to={pathOf("approved")}>Show those on the site</ButtonLink>
            ) : (
              <ButtonLink to="/manage/testimonials/requests">Ask a client for one</ButtonLink>
            )}
          </EmptyList>
        }
      >
        {(rows) => (
          <ul
            aria-label={`${decisions[decision]}, ${decision === "approved" ? "in their order" : "newest first"}`}
            className={`mt-4 ${listClass}`}
          >
            {rows.map((testimonial, index) => (
              <ModerationItem
                key={testimonial.id}
                testimonial={testimonial}
                rank={testimonial.pin === null ? null : (list.page - 1) * listSize + index + 1}
                isLast={!rows[index + 1]?.pin}
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
    </Frame>
  );
}

interface ModerationItemProps {
  testimonial: StoredTestimonial;
  consent: ConsentRecord | undefined;
  /** Its place among those that are shown first, from 1. */
  rank: number | null;
  /** Whether none of those follows it. */
  isLast: boolean;
  /** @param neighbor the first button of the next testimonial, else of the previous one */
  onLeft: (neighbor: HTMLElement | null) => void;
}

/** One testimonial with what to decide about it: the text comes before the stars. */
function ModerationItem(props: ModerationItemProps) {
  const { testimonial, consent, rank, isLast, onLeft } = props;
  const { name, content, rating, created_at } = testimonial;
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const reload = useReload();
  const item = useRef<HTMLLIElement>(null);
  const deletion = useRef<HTMLDialogElement>(null);
  const refusal = useRef<HTMLDialogElement>(null);
  const reason = useRef<HTMLSelectElement>(null);

  function decide(reason: RefusalReason | null) {
    return run(
      async (client) => {
        try {
          await changeTestimonial(client, testimonial, decisionOf(reason));
        } finally {
          // Closed before the toast is shown: a toast inside an open dialog would disappear with it.
          refusal.current?.close();
        }
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

  const refuse = testimonial.approved_at ? "Take off the site" : "Refuse";
  const askReason = () => refusal.current?.showModal();
  return (
    <li ref={item}>
      <article aria-label={`Testimonial by ${name}`} className="p-4">
        <div className="flex items-start justify-between gap-x-4">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 className="text-base wrap-anywhere">{name}</h2>
              <Stars rating={rating} />
              {testimonial.is_sample && <Badge>Sample</Badge>}
              {rank !== null && <Badge>Shown first</Badge>}
            </div>
            <AboutReviewer testimonial={testimonial} />
          </div>
          <div className="-mt-2 -mr-2 flex shrink-0 items-center gap-1">
            <time dateTime={created_at} className="text-sm text-muted">
              {formatDay(created_at, timeZone)}
            </time>
            <MoreMenu of={`the testimonial by ${name}`}>
              {testimonial.approved_at && (
                <PlaceItems id={testimonial.id} rank={rank} isLast={isLast} />
              )}
              {testimonial.approved_at && <MenuItem onClick={askReason}>{refuse}</MenuItem>}
              <MenuItem look="danger" onClick={() => deletion.current?.showModal()}>
                Delete
              </MenuItem>
            </MoreMenu>
          </div>
        </div>
        <p className="mt-2 max-w-3xl whitespace-pre-line wrap-anywhere">{content}</p>
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
        {!testimonial.approved_at && (
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              look="primary"
              of={`the testimonial by ${name}`}
              disabled={isRunning}
              onClick={() => decide(null)}
            >
              Approve
            </Button>
            {!testimonial.refused_at && (
              <Button of={`the testimonial by ${name}`} disabled={isRunning} onClick={askReason}>
                {refuse}
              </Button>
            )}
          </div>
        )}
        <ConfirmDialog
          ref={refusal}
          title={`${refuse}?`}
          text={`Visitors do not see the testimonial by ${name}. You find it under 'Refused', and can approve it there.`}
          confirm={refuse}
          busy={isRunning}
          onConfirm={() => {
            // The required select has only these values, and none in place of "".
            if (reason.current?.reportValidity())
              void decide(reason.current.value as RefusalReason);
          }}
        >
          <div className="mt-5">
            <SelectField
              ref={reason}
              label="Reason"
              required
              none="Choose..."
              options={Object.entries(refusalReasons)}
            />
          </div>
        </ConfirmDialog>
        <DeleteTestimonialDialog
          ref={deletion}
          testimonial={testimonial}
          onDeleted={() => onLeft(neighborOf(item.current))}
        />
        {/* Side by side until one is open. */}
        <div className="flex flex-wrap gap-x-6 *:open:w-full">
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
        </div>
      </article>
    </li>
  );
}

interface PlaceItemsProps extends Pick<ModerationItemProps, "rank" | "isLast"> {
  id: string;
}

/** An owner shows some testimonials first, in an order of their own. */
function PlaceItems({ id, rank, isLast }: PlaceItemsProps) {
  const { tasks } = useAuth();
  const { run } = useAction();
  const reload = useReload();
  if (!tasks.includes("manage the site")) return null;

  const place = (place: number | null) =>
    run(
      async (client) => {
        await client.rpc("place_testimonial", { id, place }).throwOnError();
        await reload();
      },
      null,
      { title: "The order was not changed" },
    );

  if (rank === null) return <MenuItem onClick={() => place(1)}>Show first</MenuItem>;
  return (
    <>
      <MenuItem disabled={rank === 1} onClick={() => place(rank - 1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={isLast} onClick={() => place(rank + 1)}>
        Move down
      </MenuItem>
      <MenuItem onClick={() => place(null)}>Sort by date again</MenuItem>
    </>
  );
}

type KnownTestimonial = Pick<ModerationItemProps, "testimonial" | "consent">;

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
  const disclosure = disclosureOf(testimonial, site.firm.name);
  const facts = [
    may_be_spam &&
      "This may be spam: it came with text in a field that people cannot see. Robots fill it in, and sometimes a browser does for a person.",
    // The CHECK allows only these reasons.
    refused_at &&
      `Refused ${moment(refused_at)}: ${refusalReasons[refusal_reason as RefusalReason]}.`,
    consent &&
      `Consent ${moment(consent.given_at)}: “${consent.wording}” ${consent.email ?? ""}`.trim(),
    !is_sample && !relationship && "The reviewer was not asked about ties to the firm or payment.",
    disclosure && `Visitors read below it: ${disclosure}`,
    reply && `Your reply: ${reply}`,
  ];
  return (
    <ul className="mt-3 max-w-3xl space-y-1 text-sm whitespace-pre-line text-muted wrap-anywhere empty:hidden">
      {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
    </ul>
  );
}
