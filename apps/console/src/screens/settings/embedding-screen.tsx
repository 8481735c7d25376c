import { Page } from '../../ui/page.tsx';
import { Embedding } from './embedding.tsx';
import { SearchGrants } from './search-grants.tsx';
import { TitleModel } from './title-model.tsx';

export function EmbeddingScreen() {
  return (
    <Page title="Embedding settings">
      <Embedding />
      <TitleModel />
      <SearchGrants />
    </Page>
  );
}
