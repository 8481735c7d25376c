import { Peek } from '../../ui/peek.tsx';
import { Embedding } from '../settings/embedding.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Embedding settings, shown next to the search results that they affect. */
export function EmbeddingPanel({ onClose, onSaved }: Props) {
  return (
    <Peek title="Embedding settings" onClose={onClose}>
      <Embedding onSaved={onSaved} />
    </Peek>
  );
}
