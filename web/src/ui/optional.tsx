import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * React component: renders content that the page can do without, such as a chart. Renders nothing while its code loads or after a failure.
 */
export const Optional = ({ children }: { children: ReactNode }) => <ErrorBoundary renderError={() => null}>{children}</ErrorBoundary>
