import { Suspense, type ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/** What a page can do without: nothing stands there while it is loaded, and when it cannot be. */
export const Optional = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary renderError={() => null}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)
