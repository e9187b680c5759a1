import { Star } from "lucide";
import {
  type ComponentProps,
  Fragment,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { testimonials as lengths } from "../../supabase/functions/_shared/database-limits.ts";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";
import {
  questionNames,
  type TestimonialFieldName,
  type TestimonialQuestion,
  testimonialFieldNames,
  testimonialFields,
  testimonialQuestions,
} from "../../supabase/functions/_shared/testimonial-fields.ts";
import { useSite } from "../config/use-site.ts";
import { HoneypotField } from "../forms/honeypot-field.tsx";
import { useFormSubmit } from "../forms/use-form-submit.ts";
import { loadModule } from "../loading/load-module.ts";
import { getVisitorClient } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button-class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { ErrorSummary, FormFailure } from "../ui/form-errors.tsx";
import { Icon } from "../ui/icon.ts";
import { starNumbers } from "../ui/stars.tsx";
import {
  addTestimonial,
  ratings,
  readTestimonial,
  validateTestimonial,
} from "./new-testimonial.ts";

export function TestimonialDialog() {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { revalidate } = useRevalidator();
  const location = useLocation();
  const { pathname, search } = location;
  const navigate = useNavigate();
  const settings = useSite().testimonials;
  const { approveFirst, askConsent, consent } = settings;
  const [linkProblem, setLinkProblem] = useState<string>();

  const { errors, failure, submitting, formProps } = useFormSubmit({
    draftKey: "testimonial-draft",
    validate: (form) => validateTestimonial(form, settings),
    async send(form) {
      try {
        await addTestimonial(await getVisitorClient(), readTestimonial(form));
      } catch (error) {
        // Another review may have used the link meanwhile. The next attempt goes without it.
        await checkLink().catch(() => {});
        throw error;
      }
    },
    sent: {
      title: "Review Submitted!",
      description: approveFirst
        ? "Thank you! Your review appears here if it is published."
        : "Thank you! Your review is now live.",
    },
    onSent() {
      setLinkProblem(undefined);
      dialog.current?.close();
      // A new review is on the first page.
      if (search) navigate(pathname);
      else revalidate();
    },
    describeFailure: (error) => ({
      title: "Error submitting review",
      description: messageOf(error) || "Please try again.",
    }),
  });

  function control(name: string) {
    return formProps.ref.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
  }

  const open = () => dialog.current?.showModal();

  /**
   * Fills in the name of the client whose link opened the form, or drops a link that cannot be used.
   * @returns why it cannot be used
   */
  async function checkLink(): Promise<string | undefined> {
    const [name, request] = [control("name"), control("request")];
    if (!name || !request?.value) return;
    const { readLink } = await loadModule(() => import("./client-link.ts"));
    const link = await readLink(await getVisitorClient(), request.value);
    if (link.problem) request.value = "";
    else name.value ||= link.name ?? "";
    return link.problem;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another location is another link, also on the page that is shown.
  useEffect(() => {
    const [, token] = /^#review=(.+)/.exec(window.location.hash) ?? [];
    const request = control("request");
    if (!token || !request) return;
    // Removed from the URL, because the page may be shared or bookmarked.
    window.history.replaceState(window.history.state, "", pathname + search);
    request.value = token;
    open();
    // Without an answer, the backend decides when the review is sent.
    checkLink().then(setLinkProblem, console.error);
  }, [location]);

  const asked = (name: string, label: string) => ({
    ...{ id: `${id}-${name}`, name, label },
    error: errors[name],
  });
  const rating = asked("rating", "Rating");
  const question = (name: TestimonialQuestion) => asked(name, testimonialQuestions[name].label);
  const details = asked("compensation_details", "What was it? (Optional)");
  const email = asked("email", "Your Email (Optional, Never Shown)");
  const agreement = asked("consent", "Consent");
  const field = (name: TestimonialFieldName) => ({
    ...asked(name, testimonialFields[name].label),
    required: testimonialFields[name].required,
    maxLength: testimonialFields[name].max,
    autoComplete: testimonialFields[name].autoComplete,
    placeholder: testimonialFields[name].placeholder,
  });

  return (
    <>
      <button type="button" className={`${buttonClass("primary")} noscript:hidden`} onClick={open}>
        Leave a Review
      </button>
      <Dialog
        ref={dialog}
        title="Leave a Review"
        description={`Your name, your words. It appears on this page ${approveFirst ? "if it is published" : "at once"}.`}
      >
        <form {...formProps} className="mt-6 space-y-5" noValidate>
          <FormFailure text={linkProblem} />
          <ErrorSummary
            fields={[
              ...testimonialFieldNames.map(field),
              ...[rating, ...questionNames.map(question), details, email, agreement],
            ].filter(({ error }) => error)}
          />
          {testimonialFieldNames.map((name) => {
            const { rows } = testimonialFields[name];
            const control = rows ? (
              <TextAreaField key={name} {...field(name)} rows={rows} />
            ) : (
              <TextField key={name} {...field(name)} />
            );
            if (name !== "content") return control;
            return (
              <Fragment key={name}>
                <Choices
                  {...rating}
                  options={stars}
                  required={askConsent}
                  preset={askConsent ? "" : String(ratings.default)}
                  className="-ml-1.5 flex"
                  optionClass="star rounded-sm p-1.5 text-clay has-focus-visible:outline-3 has-focus-visible:outline-clay"
                  inputClass="sr-only"
                />
                {control}
              </Fragment>
            );
          })}
          {/* The token of a client's link, which stays with the draft of the form. */}
          <input name="request" hidden />
          {askConsent && (
            <>
              {questionNames.map((name) => (
                <Fragment key={name}>
                  <Choices {...question(name)} options={choicesOf(name)} required />
                  {name === "compensation" && (
                    <div className="hidden [form:has([value=given]:checked)_&]:block">
                      <TextField {...details} maxLength={lengths.compensation_details} />
                    </div>
                  )}
                </Fragment>
              ))}
              <TextField {...email} type="email" autoComplete="email" maxLength={320} />
            </>
          )}
          {askConsent && consent && (
            <Choices
              {...agreement}
              type="checkbox"
              autoComplete="off"
              options={[[consent, consent]]}
              required
            />
          )}
          <HoneypotField />
          <FormFailure text={failure} />
          <div className="flex flex-wrap justify-end gap-3">
            <button
              type="button"
              className={buttonClass("secondary")}
              onClick={() => dialog.current?.close()}
            >
              Cancel
            </button>
            <button type="submit" className={buttonClass("primary")} disabled={submitting}>
              {submitting ? "Submitting..." : "Submit Review"}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

type Option = [value: string, content: ReactNode];

function choicesOf(name: TestimonialQuestion): Option[] {
  const answers = Object.entries(testimonialQuestions[name].answers);
  return answers.map(([value, [choice]]) => [value, choice]);
}

const stars = starNumbers.map(
  (star): Option => [
    String(star),
    <>
      <Icon drawing={Star} className="size-8" />
      <span className="sr-only">{star === 1 ? "1 star" : `${star} stars`}</span>
    </>,
  ],
);

interface ChoicesProps extends ComponentProps<"input"> {
  /** Of the first control. */
  id: string;
  label: string;
  error: string | undefined;
  options: readonly Option[];
  preset?: string;
  optionClass?: string;
  inputClass?: string;
}

/** Radio buttons or a box with a legend and an error message, as a text field has them. */
function Choices(props: ChoicesProps) {
  const { id, label, error, options, preset, className = "", ...others } = props;
  const { optionClass = "flex gap-3 py-1 text-sm whitespace-pre-line wrap-anywhere", ...rest } =
    others;
  const { inputClass = "size-5 shrink-0 accent-evergreen", ...input } = rest;
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{label}</legend>
      <div className={`mt-1 ${className}`}>
        {options.map(([value, content], index) => (
          <label key={value} className={optionClass}>
            <input
              type="radio"
              {...input}
              id={index === 0 ? id : undefined}
              value={value}
              defaultChecked={value === preset}
              aria-invalid={error ? true : undefined}
              aria-describedby={error && `${id}-error`}
              className={inputClass}
            />
            {typeof content === "string" ? <span>{content}</span> : content}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
