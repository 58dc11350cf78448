import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * React component: wrapper for content (`children`) that is not essential, such as a chart. Renders nothing after a failure, such as when
 * the content's code cannot be loaded.
 */
export const Optional = ({ children }: { children: ReactNode }) => <ErrorBoundary renderError={() => null}>{children}</ErrorBoundary>
