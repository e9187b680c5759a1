import { RowsField } from "./rows-field.tsx";
import { useProblem } from "./service-problems.ts";
import { TextSetting } from "./text-setting.tsx";

interface LinesFieldProps {
  path: string;
  label: string;
  help: string;
  /** What one line is called, such as "Point". */
  line: string;
  lines: readonly string[];
  max: number;
  maxLength: number;
  onChange: (lines: string[]) => void;
}

/** A list of sentences. */
export function LinesField(props: LinesFieldProps) {
  const { path, label, help, line, lines, max, maxLength, onChange } = props;
  const nameOf = (index: number) => `${line} ${index + 1}`;
  return (
    <RowsField
      label={label}
      help={help}
      addLabel={`Add ${line.toLowerCase()}`}
      rows={lines}
      max={max}
      problem={useProblem(path)}
      newRow={() => ""}
      rowName={(_, index) => nameOf(index)}
      onChange={onChange}
      renderRow={(text, change, index) => (
        <TextSetting
          path={`${path}[${index}]`}
          label={nameOf(index)}
          hideLabel
          value={text}
          maxLength={maxLength}
          rows={2}
          onChange={(value) => change(value.replace(/\s*\n\s*/g, " "))}
        />
      )}
    />
  );
}
