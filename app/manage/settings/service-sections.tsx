import type { Service } from "../../config/site-schema.ts";
import { LinesField } from "./lines-field.tsx";
import { RowNote } from "./row-header.tsx";
import { RowsField } from "./rows-field.tsx";
import { useProblem, useProblemCount } from "./service-problems.ts";
import { TextSetting } from "./text-setting.tsx";

interface ServiceSectionsProps {
  path: string;
  sections: Service["sections"];
  onChange: (sections: Service["sections"]) => void;
}

/** The sections of a service's page, each with a text and points. */
export function ServiceSections({ path, sections, onChange }: ServiceSectionsProps) {
  return (
    <RowsField
      label="Sections of the page"
      help="Each has a heading, a text and a list of points."
      addLabel="Add section"
      rows={sections}
      max={20}
      collapsible
      problem={useProblem(path)}
      newRow={() => ({ title: "", content: "", points: [] })}
      rowName={({ title }, index) => title || `Section ${index + 1}`}
      rowNotes={(index) => <Problems path={`${path}[${index}]`} />}
      onChange={onChange}
      renderRow={(section, change, index) => {
        const row = `${path}[${index}]`;
        return (
          <>
            <TextSetting
              path={`${row}.title`}
              label="Heading"
              value={section.title}
              maxLength={200}
              onChange={(title) => change({ ...section, title })}
            />
            <TextSetting
              path={`${row}.content`}
              label="Text"
              value={section.content}
              maxLength={5000}
              rows={4}
              onChange={(content) => change({ ...section, content })}
            />
            <LinesField
              path={`${row}.points`}
              label="Points"
              help="A list below the text."
              line="Point"
              lines={section.points}
              max={30}
              maxLength={1000}
              onChange={(points) => change({ ...section, points })}
            />
          </>
        );
      }}
    />
  );
}

interface ServiceQuestionsProps {
  path: string;
  questions: Service["questions"];
  onChange: (questions: Service["questions"]) => void;
}

/** The questions and answers of a service's page. */
export function ServiceQuestions({ path, questions, onChange }: ServiceQuestionsProps) {
  return (
    <RowsField
      label="Questions and answers"
      help="What clients ask about the service."
      addLabel="Add question"
      rows={questions}
      max={20}
      collapsible
      problem={useProblem(path)}
      newRow={() => ({ question: "", answer: "" })}
      rowName={({ question }, index) => question || `Question ${index + 1}`}
      rowNotes={(index) => <Problems path={`${path}[${index}]`} />}
      onChange={onChange}
      renderRow={(entry, change, index) => (
        <>
          <TextSetting
            path={`${path}[${index}].question`}
            label="Question"
            value={entry.question}
            maxLength={300}
            onChange={(question) => change({ ...entry, question })}
          />
          <TextSetting
            path={`${path}[${index}].answer`}
            label="Answer"
            value={entry.answer}
            maxLength={2000}
            rows={3}
            onChange={(answer) => change({ ...entry, answer })}
          />
        </>
      )}
    />
  );
}

function Problems({ path }: { path: string }) {
  const count = useProblemCount(path);
  return count > 0 ? <RowNote danger>{count} to correct</RowNote> : null;
}
