import { useRef, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { Stars } from "../../ui/stars.tsx";
import { showToast } from "../../ui/toast.ts";
import DeleteTestimonialButton from "./delete-testimonial-button.tsx";
import { type StoredTestimonial, setApproved } from "./manage-testimonials.ts";

interface ModerationItemProps {
  testimonial: StoredTestimonial;
  /** @param neighbor the first button of the next review, else of the previous one */
  onChanged: (neighbor: HTMLElement | null) => void;
}

/** One testimonial with the buttons that approve, hide and delete it. */
export function ModerationItem({ testimonial, onChanged }: ModerationItemProps) {
  const { id, name, role, content, rating, created_at, approved_at } = testimonial;
  const { timeZone } = useSite().contact;
  const [saving, setSaving] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const isWaiting = approved_at === null;

  async function change() {
    setSaving(true);
    try {
      await setApproved(await getBrowserClient(), id, isWaiting);
      showToast({
        tone: "success",
        title: isWaiting ? "Review approved" : "Review hidden",
        description: isWaiting
          ? `The review by ${name} is on the site.`
          : `The review by ${name} is no longer on the site.`,
      });
      onChanged(neighborOf(item.current));
    } catch (error) {
      showToast({
        tone: "error",
        title: isWaiting ? "Approving failed" : "Hiding failed",
        description: messageOf(error),
      });
    } finally {
      setSaving(false);
    }
  }

  return (
    <li ref={item}>
      <article
        aria-label={`Review by ${name}`}
        className="rounded-lg border border-line bg-surface p-5 sm:p-6"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 className="font-sans text-base font-semibold wrap-anywhere">
            {name}
            {role && <span className="block text-sm font-normal text-muted">{role}</span>}
          </h2>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            <Stars rating={rating} />
            <time dateTime={created_at}>
              {new Date(created_at).toLocaleDateString("en-US", { dateStyle: "medium", timeZone })}
            </time>
          </p>
        </div>
        <p className="mt-4 max-w-3xl whitespace-pre-line wrap-anywhere">{content}</p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <button
            type="button"
            disabled={saving}
            className={buttonClass(isWaiting ? "primary" : "secondary", "small")}
            onClick={change}
          >
            {isWaiting ? "Approve" : "Hide from the site"}
            <span className="sr-only">: the review by {name}</span>
          </button>
          <DeleteTestimonialButton
            testimonial={testimonial}
            className=""
            onDeleted={() => onChanged(neighborOf(item.current))}
          />
        </div>
      </article>
    </li>
  );
}

function neighborOf(item: HTMLElement | null): HTMLElement | null {
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling;
  return neighbor?.querySelector("button") ?? null;
}
