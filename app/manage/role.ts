import { useEffect, useState } from "react";
import { useAuth } from "../auth/auth-provider.tsx";
import { getBrowserClient } from "../supabase/browser-client.ts";

const roles = ["owner", "editor", "assistant"] as const;
export type Role = (typeof roles)[number];

interface RoleState {
  /** Null for an account that does not manage the site; undefined until it is known. */
  role: Role | null | undefined;
  failed: boolean;
  retry(): void;
}

/** Read once per account, for all parts of a page that ask. */
const readings = new Map<string, Promise<Role | null>>();

/** The role of the signed-in account. It decides what is offered; the database decides what is allowed. */
export function useRole(): RoleState {
  const { user } = useAuth();
  const id = user?.id;
  const [known, setKnown] = useState<{ id: string; role: Role | null }>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    let ended = false;
    setFailed(false);
    if (!id) return;
    readOnce(id).then(
      (role) => ended || setKnown({ id, role }),
      (error) => {
        if (ended) return;
        console.error("Reading the role failed", error);
        setFailed(true);
      },
    );
    return () => {
      ended = true;
    };
  }, [id, attempt]);

  return {
    role: known?.id === id ? known?.role : undefined,
    failed,
    retry: () => setAttempt((count) => count + 1),
  };
}

function readOnce(id: string): Promise<Role | null> {
  const reading = readings.get(id) ?? readRole();
  readings.set(id, reading);
  reading.catch(() => readings.delete(id));
  return reading;
}

/** @throws the backend's error */
async function readRole(): Promise<Role | null> {
  const { data, error } = await (await getBrowserClient()).rpc("my_role");
  if (error) throw error;
  return roles.find((role) => role === data) ?? null;
}
