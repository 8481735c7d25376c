import { Page } from '../../ui/page.tsx';
import { Embedding } from './embedding.tsx';

export function EmbeddingScreen() {
  return (
    <Page title="Embedding settings">
      <Embedding />
    </Page>
  );
}
