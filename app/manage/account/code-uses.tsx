// Tells owners which accounts used a recovery code, until they have seen it.
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { Button, TextLink } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { type LiveQuery, useLiveQuery, useReload } from "../live-query.ts";
import { focusHeading } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { type CodeUse, dismissCodeUses, readCodeUses } from "./account.ts";

const codeUsesQuery: LiveQuery<CodeUse[]> = {
  key: ["uses of recovery codes"],
  read: readCodeUses,
  tables: [],
};

export function CodeUses() {
  const { value: uses } = useLiveQuery(codeUsesQuery);
  const { timeZone } = useSite().contact;
  const { user } = useAuth();
  const reload = useReload();
  const { isRunning, run } = useAction();
  const [newest] = uses ?? [];
  if (!uses || !newest) return null;

  async function dismiss(client: Client) {
    await dismissCodeUses(client, newest?.used_at ?? "");
    await reload();
    focusHeading();
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-clay-soft px-4 py-3 sm:px-5">
      <div className="min-w-60 flex-1">
        <ul>
          {uses.map(({ id, email, name, replaced, used_at }) => (
            <li key={id} className="font-medium wrap-anywhere">
              {`${email === user?.email ? "You" : (name ?? email)} used a recovery code ${replaced === "app" ? "in place of the authenticator app" : "for a new password"}, ${formatMoment(used_at, timeZone)}.`}
            </li>
          ))}
        </ul>
        <p>
          <span>If you did not expect this, look at </span>
          <TextLink to="/manage/people">People</TextLink>
          <span> and set a new password.</span>
        </p>
      </div>
      <Button
        disabled={isRunning}
        onClick={() => run(dismiss, null, { title: "This could not be saved" })}
      >
        I have seen this
      </Button>
    </div>
  );
}
