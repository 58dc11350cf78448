import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * React component: wrapper for content that is not essential, such as a chart. Renders nothing while the content's code loads or after a
 * failure.
 */
export const Optional = ({ children }: { children: ReactNode }) => <ErrorBoundary renderError={() => null}>{children}</ErrorBoundary>
