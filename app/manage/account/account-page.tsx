import { type ReactNode, useId } from "react";
import { roleInfo } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import type { LiveTable } from "../../supabase/live.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { type Account, readAccount } from "./account.ts";
import { EmailForm, NameForm, PasswordForm } from "./account-forms.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
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
      <p className="mt-1 max-w-2xl text-muted wrap-anywhere">
        {`${profile.email}. ${role ? `You are ${role}.` : "This account has no role on the site."}`}
      </p>
      <div className="mt-6 divide-y divide-line rounded-lg border border-line bg-surface">
        {profile.role && (
          <Part
            title="Your name"
            lead="It greets you and signs the posts you write. Without it, the adviser's name signs them."
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
          <TwoStep apps={account.apps} codes={account.codes} />
        </Part>
        <Part
          title="Recovery codes"
          lead="If you forget your password or lose your phone, one of these codes lets you in, without an email and without anybody's help."
        >
          <RecoveryCodes left={account.codes} />
        </Part>
        <Part title="Where you are signed in" lead="End every session that you do not recognize.">
          <SessionList sessions={sessions} />
        </Part>
      </div>
    </>
  );
}

interface PartProps {
  title: string;
  lead: string;
  children: ReactNode;
}

function Part({ title, lead, children }: PartProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 px-5 py-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:px-6"
    >
      <div>
        <h2 id={id} className="text-base">
          {title}
        </h2>
        <p className="mt-1 text-sm text-muted">{lead}</p>
      </div>
      <div className="lg:*:first:mt-0">{children}</div>
    </section>
  );
}
