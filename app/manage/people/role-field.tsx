import { type Role, roleInfo, roles } from "../../../supabase/functions/_shared/roles.ts";

export function RoleField({ defaultRole }: { defaultRole: Role }) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Role</legend>
      <div className="mt-1.5 grid gap-2">
        {roles.map((role) => (
          <label
            key={role}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-md border border-edge bg-surface px-4 py-2.5 has-checked:border-evergreen has-checked:bg-sage"
          >
            <input
              type="radio"
              name="role"
              value={role}
              defaultChecked={role === defaultRole}
              className="mt-1 size-4 shrink-0 accent-evergreen"
            />
            <span>
              <span className="block font-semibold">{roleInfo[role].name}</span>
              <span className="block text-sm text-muted">{roleInfo[role].may}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function nameOfRole(value: string): string {
  const role = roles.find((role) => role === value);
  return role ? roleInfo[role].name : value;
}

/** Reads the chosen role from a form with a RoleField. */
export function roleOf(form: FormData): Role | undefined {
  return roles.find((role) => role === form.get("role"));
}
