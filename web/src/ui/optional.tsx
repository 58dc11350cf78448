import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

/** React component, wrapper for optional content: renders nothing while it loads or when it fails. */
export const Optional = ({ children }: { children: ReactNode }) => <ErrorBoundary renderError={() => null}>{children}</ErrorBoundary>
