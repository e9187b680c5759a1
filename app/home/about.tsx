import { Check } from "lucide-react";
import { site } from "../config/site.ts";

const promises = [
  "Personalized Financial Strategies",
  "Dedicated Client-First Approach",
  "Long-Term Security & Growth Planning",
];

export function About() {
  const { name, title, portrait } = site.adviser;
  return (
    <section id="about" className="section bg-sand">
      <div className="wrap grid items-center gap-10 lg:grid-cols-[22rem_1fr] lg:gap-20">
        <img
          src={portrait.src}
          alt={`${name}, ${title.toLowerCase()}`}
          width={portrait.width}
          height={portrait.height}
          loading="lazy"
          className="mx-auto aspect-[4/5] w-full max-w-88 rounded-lg bg-sage object-cover shadow-card"
        />
        <div className="max-w-2xl">
          <h2 className="text-3xl">A Message from {name}</h2>
          <p className="mt-6 text-lg">
            I became independent so that I could say no. No to a policy that pays me well and fits
            you badly, no to a plan that looks clever on paper and keeps you awake at night. You are
            the client, and the company that issues the policy is not.
          </p>
          <p className="mt-4 text-lg">
            Every plan starts with your own numbers: who relies on you, for how long, and what is
            already in place. I put the arithmetic on one page, we go through it line by line, and
            you take it home before you sign anything.
          </p>
          <ul className="mt-8 space-y-3">
            {promises.map((promise) => (
              <li key={promise} className="flex items-center gap-3 font-semibold">
                <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-evergreen text-paper">
                  <Check aria-hidden="true" className="size-4" />
                </span>
                {promise}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
