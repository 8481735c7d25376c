import type { PolicyProblem } from '../../api/answers.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import styles from './policies.module.css';
import type { PolicyCheck } from './use-policy-check.ts';

interface Props {
  readonly check: PolicyCheck;
  readonly onGo: (problem: PolicyProblem) => void;
}

/** Errors and warnings, each with a button that moves to its position. */
export function Problems({ check: { errors, warnings, isOld, error }, onGo }: Props) {
  if (error !== null) return <ErrorState error={error} />;
  return (
    <div role="status" aria-busy={isOld}>
      {errors.length + warnings.length === 0 ? (
        <p>{isOld ? 'Checking…' : 'The document is valid.'}</p>
      ) : (
        <ul className={styles['problems']} aria-label="Problems">
          {errors.map((problem) => (
            <Problem key={keyOf(problem)} word="Error" problem={problem} onGo={onGo} />
          ))}
          {warnings.map((problem) => (
            <Problem key={keyOf(problem)} word="Warning" problem={problem} onGo={onGo} />
          ))}
        </ul>
      )}
    </div>
  );
}

const keyOf = ({ line, column, message }: PolicyProblem): string => `${line}:${column} ${message}`;

function Problem({
  word,
  problem,
  onGo,
}: { readonly word: string; readonly problem: PolicyProblem } & Pick<Props, 'onGo'>) {
  return (
    <li>
      <Button look="quiet" onClick={() => onGo(problem)}>
        Line {problem.line}
      </Button>{' '}
      <strong>{word}:</strong> {problem.message}
    </li>
  );
}
