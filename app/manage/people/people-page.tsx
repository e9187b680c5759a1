import { useRef } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { listClass } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { InviteForm } from "./invite-form.tsx";
import { type Person, readPeople } from "./people.ts";
import { PersonItem } from "./person-item.tsx";

export default function PeoplePage() {
  return (
    <PageData query={{ key: ["people"], read: readPeople, tables: ["people"] }}>
      {(people) => (
        <PageFrame>
          <People people={people} />
        </PageFrame>
      )}
    </PageData>
  );
}

function People({ people }: { people: Person[] }) {
  const { user, refresh } = useAuth();
  const reload = useReload();
  const heading = useRef<HTMLHeadingElement>(null);
  // As in the database: an owner who has signed in must stay; if nobody has signed in yet, any owner.
  const isOnlyOwner = ({ id, role, last_sign_in_at }: Person) =>
    role === "owner" &&
    !people.some(
      (other) =>
        other.id !== id && other.role === "owner" && (other.last_sign_in_at || !last_sign_in_at),
    );

  return (
    <div className="mt-5 grid gap-8 xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)] xl:items-start">
      <section aria-labelledby="people">
        <h2 id="people" ref={heading} tabIndex={-1} className="text-base outline-none">
          {people.length === 1 ? "1 person" : `${people.length} people`}
        </h2>
        <ul className={`mt-2 ${listClass}`}>
          {people.map((person) => (
            <PersonItem
              key={person.id}
              person={person}
              isSelf={person.id === user?.id}
              isOnlyOwner={isOnlyOwner(person)}
              onChanged={() => {
                reload();
                if (person.id === user?.id) refresh();
              }}
              onRemoved={() => {
                // Moves the focus, because the focused button is removed with its person.
                heading.current?.focus();
                reload();
              }}
            />
          ))}
        </ul>
      </section>
      <InviteForm onInvited={reload} />
    </div>
  );
}
