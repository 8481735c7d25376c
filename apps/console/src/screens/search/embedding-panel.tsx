import { Peek } from '../../ui/peek.tsx';
import { Embedding } from '../settings/embedding.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The setting next to the result that it affects. */
export function EmbeddingPanel({ onClose, onSaved }: Props) {
  return (
    <Peek title="Embedding settings" onClose={onClose}>
      <Embedding onSaved={onSaved} />
    </Peek>
  );
}
