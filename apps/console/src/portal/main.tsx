import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { toApiError } from '../api/api-error.ts';
import { PortalPage } from './portal-page.tsx';
import '../theme/tokens.css';
import '../theme/base.css';

const TRIES = 2;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (failures, error) => failures < TRIES && toApiError(error).status >= 500,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

const place = document.getElementById('root');
if (place === null) throw new Error('portal.html has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <PortalPage />
    </QueryClientProvider>
  </StrictMode>,
);
