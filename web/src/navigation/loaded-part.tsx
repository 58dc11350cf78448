import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import * as words from '../words/messages.js'

/**
 * React component: wrapper for code that loads on demand. When loading fails, as after an upgrade of the hub, it offers a reload in place
 * of that part, and the rest of the page stays. A new `resetKey` retries.
 */
export const LoadedPart = ({ resetKey, children }: { resetKey?: string; children: ReactNode }) => (
  <ErrorBoundary {...(resetKey === undefined ? {} : { resetKey })} renderError={() => <ReloadOffer />}>
    {children}
  </ErrorBoundary>
)

export const ReloadOffer = () => (
  <div
    role="alert"
    className="fixed inset-x-3 bottom-3 z-60 mx-auto flex w-fit flex-wrap items-center gap-3 rounded-card border border-warn-fill bg-surface px-4 py-2.5 text-body font-normal whitespace-normal shadow-raised"
  >
    {words.part_failed()}
    <Button onClick={() => location.reload()}>{words.reload()}</Button>
  </div>
)
