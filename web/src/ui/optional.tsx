import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/** A part that the page works without: renders nothing while it loads, and if it cannot be loaded. */
export const Optional = ({ children }: { children: ReactNode }) => <ErrorBoundary renderError={() => null}>{children}</ErrorBoundary>
