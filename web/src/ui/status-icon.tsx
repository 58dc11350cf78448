import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export type StatusLook = 'up' | 'down' | 'stale' | 'paused' | 'pending'

const shapes: Readonly<Record<StatusLook, { readonly colour: string; readonly drawing: ReactNode }>> = {
  up: { colour: 'text-ok', drawing: <circle cx="8" cy="8" r="4.5" fill="currentColor" /> },
  down: {
    colour: 'text-crit',
    drawing: (
      <>
        <path d="M8 2.2 14 13H2Z" fill="currentColor" strokeWidth="1" stroke="currentColor" strokeLinejoin="round" />
        <path d="M8 6.2v3.2M8 11.3v.2" stroke="var(--surface)" strokeWidth="1.5" strokeLinecap="round" />
      </>
    ),
  },
  stale: {
    colour: 'text-warn',
    drawing: (
      <path
        d="M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3Zm0 2.2V8l1.9 1.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
    ),
  },
  paused: {
    colour: 'text-paused opacity-85',
    drawing: <path d="M5.200 4v8M10.800 4v8" stroke="currentColor" strokeWidth="2.400" strokeLinecap="round" />,
  },
  pending: {
    colour: 'text-pending',
    drawing: <circle cx="8" cy="8" r="4.600" fill="none" stroke="currentColor" strokeWidth="1.800" strokeDasharray="2.400 2.400" />,
  },
}

/**
 * React component: icon of a system's status, distinguished by shape and colour. `label` is its text for screen readers; `undefined` when a
 * visible text stands beside it.
 */
export function StatusIcon({ status, label }: { status: StatusLook; label: string | undefined }) {
  const { colour, drawing } = shapes[status]
  return (
    <span className={cn('relative inline-flex size-4 shrink-0', colour)} data-status={status}>
      {status === 'up' && <span className="absolute inset-1 animate-status rounded-full bg-current motion-reduce:hidden" />}
      <svg viewBox="0 0 16 16" className="relative size-4" aria-hidden="true">
        {drawing}
      </svg>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  )
}
