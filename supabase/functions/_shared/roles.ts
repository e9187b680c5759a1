// The names of the roles and their tasks, used by pages. The database enforces them: private.may has the same tasks.
import { keysOf } from "./object-keys.ts";

export type Task = "manage the site" | "write posts" | "moderate testimonials" | "handle messages";

interface RoleInfo {
  name: string;
  /** The description in the choice of a role. */
  may: string;
  /** Completes a sentence that starts with 'You are'. */
  you: string;
  tasks: readonly Task[];
}

export const roleInfo = {
  owner: {
    name: "Owner",
    may: "Everything, including settings and people",
    you: "an owner of this site: you may do everything",
    tasks: ["manage the site", "write posts", "moderate testimonials", "handle messages"],
  },
  editor: {
    name: "Editor",
    may: "Write posts and upload images",
    you: "an editor: you write posts and upload images",
    tasks: ["write posts"],
  },
  assistant: {
    name: "Assistant",
    may: "Handle messages and testimonials",
    you: "an assistant: you handle messages and testimonials",
    tasks: ["moderate testimonials", "handle messages"],
  },
  editor_assistant: {
    name: "Editor and assistant",
    may: "Both: write posts, and handle messages and testimonials",
    you: "an editor and assistant: you write posts, and handle messages and testimonials",
    tasks: ["write posts", "moderate testimonials", "handle messages"],
  },
} as const satisfies Record<string, RoleInfo>;

export type Role = keyof typeof roleInfo;

/** The roles in the order of the choice. */
export const roles = keysOf(roleInfo);

export function may(role: Role | null | undefined, task: Task): boolean {
  const info: RoleInfo | undefined = role ? roleInfo[role] : undefined;
  return info?.tasks.includes(task) ?? false;
}
