import { Link } from "react-router";
import { site } from "../config/site.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Image } from "../ui/image.tsx";

const assurances = [
  ["Independent", "No insurer employs me, so I can say which policy you don't need."],
  ["Free to ask", "The first conversation costs nothing and obliges you to nothing."],
  ["Questions first", "No product is on the table before yours are answered."],
] as const;

export function Hero() {
  return (
    <section>
      {/* The image extends to the edge of the window, the text to that of the page. */}
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(0,35rem)_minmax(0,39rem)_minmax(0,1fr)]">
        <div className="px-[clamp(1.25rem,4vw,2.5rem)] pt-10 pb-10 sm:pt-14 lg:col-start-2 lg:row-start-1 lg:py-24 lg:pr-14">
          <h1 className="text-4xl">Welcome to Your Financial Future</h1>
          <p className="mt-6 max-w-xl text-lg text-muted">
            I'm {site.adviser.name}. If people depend on you, come and sit down with me for half an
            hour. We look at what they would need, what you already have, and what the gap costs.
            Then you decide.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
            <ExternalLink href={site.schedulingUrl} className={buttonClass("primary")}>
              Book Your Private Consultation
            </ExternalLink>
            <Link
              to="/savings-calculator"
              className="py-2 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
            >
              Try the calculators
            </Link>
          </div>
        </div>
        <Image
          src="/images/hero.svg"
          alt="A lane leads to a house above a harbor in morning light."
          width={1200}
          height={1000}
          sizes="(min-width: 64rem) 55vw, 100vw"
          priority
          className="image aspect-[5/4] w-full sm:aspect-[2/1] lg:col-start-3 lg:col-end-5 lg:row-start-1 lg:aspect-auto lg:h-full lg:rounded-bl-lg"
        />
      </div>
      <dl className="wrap grid divide-line py-10 max-md:divide-y md:grid-cols-3 md:divide-x md:py-14">
        {assurances.map(([term, text]) => (
          <div key={term} className="max-md:py-5 md:px-8 md:first:pl-0 md:last:pr-0">
            <dt className="font-serif text-xl text-evergreen">{term}</dt>
            <dd className="mt-1 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
