import { Link } from "react-router";
import { site } from "../config/site.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";

export function Hero() {
  return (
    <section className="overflow-hidden">
      <div className="wrap grid items-center gap-10 pt-10 pb-16 md:pt-16 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pb-24">
        <div>
          <h1 className="text-4xl">Welcome to Your Financial Future</h1>
          <p className="mt-6 max-w-xl text-lg text-muted">
            I'm {site.adviser.name}. If people depend on you, come and sit down with me for half an
            hour. We look at what they would need, what you already have, and what the gap costs.
            Then you decide.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ExternalLink href={site.schedulingUrl} className={buttonClass("primary")}>
              Book Your Private Consultation
            </ExternalLink>
            <Link to="/savings-calculator" className={buttonClass("secondary")}>
              Try the calculators
            </Link>
          </div>
          <p className="mt-6 text-sm text-muted">
            Independent. Free first conversation. No products chosen before your questions are
            answered.
          </p>
        </div>
        <img
          src="/images/hero.svg"
          alt="A lane leads to a house above a harbor in morning light."
          width={1200}
          height={1000}
          fetchPriority="high"
          className="aspect-[6/5] w-full rounded-lg bg-sage object-cover shadow-lift"
        />
      </div>
    </section>
  );
}
