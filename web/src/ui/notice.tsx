import type { ReactNode } from 'react'

/** What stands where content would be: why there is none, and what can be done about it. */
export function Notice({ title, detail, children }: { title: string; detail: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-1.5 rounded-card border border-border bg-surface px-6 py-14 text-center shadow-card">
      <h2 className="text-[16px]/6 font-semibold">{title}</h2>
      <p className="max-w-md text-muted wrap-anywhere">{detail}</p>
      {children !== undefined && <div className="mt-3 flex gap-2">{children}</div>}
    </div>
  )
}
