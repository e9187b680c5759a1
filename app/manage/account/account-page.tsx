import type { ReactNode } from "react";
import { roleInfo } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import type { LiveTable } from "../../supabase/live.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { Section } from "../page-parts.tsx";
import { type Account, readAccount } from "./account.ts";
import { EmailForm, NameForm, PasswordForm } from "./account-forms.tsx";
import { SessionList } from "./session-list.tsx";
import { TwoStep } from "./two-step.tsx";

export default function AccountPage() {
  const { role } = useAuth();
  // Only accounts with a role may follow the changes of people.
  const tables: LiveTable[] = role ? ["people"] : [];
  return (
    <PageData query={{ key: ["account", ...tables], read: readAccount, tables }}>
      {(account) => (
        <PageFrame>
          <Sections account={account} />
        </PageFrame>
      )}
    </PageData>
  );
}

function Sections({ account }: { account: Account }) {
  const { profile, sessions } = account;
  const role = profile.role && roleInfo[profile.role].you;
  return (
    <>
      <p className="mt-4 max-w-2xl text-lg text-muted wrap-anywhere">
        {`${profile.email}. ${role ? `You are ${role}.` : "This account has no role on the site."}`}
      </p>
      <div className="mt-8 max-w-3xl space-y-6">
        {profile.role && (
          <Part
            title="Your name"
            lead="You are greeted by it, and it signs the posts you write. Without one, your email address greets you and the adviser's name signs your posts."
          >
            <NameForm name={profile.name ?? ""} />
          </Part>
        )}
        <Part title="Email address" lead="You sign in with it.">
          <EmailForm email={profile.email} pending={profile.new_email} />
        </Part>
        <Part title="Password" lead="A new password signs you out everywhere else.">
          <PasswordForm email={profile.email} pending={profile.new_email} />
        </Part>
        <Part
          title="Two-step sign-in"
          lead="After the password, signing in asks for a code that an app on your phone shows. A stolen password alone is then of no use."
        >
          <TwoStep apps={account.apps} />
        </Part>
        <Part title="Where you are signed in" lead="End every session that you do not recognize.">
          <SessionList sessions={sessions} />
        </Part>
      </div>
    </>
  );
}

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <Section
      title={title}
      className="rounded-lg border border-line bg-surface p-6 shadow-card sm:p-8"
      headingClass="text-2xl"
    >
      <p className="mt-2 text-muted">{lead}</p>
      {children}
    </Section>
  );
}
