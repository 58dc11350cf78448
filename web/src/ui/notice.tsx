import type { ReactNode } from 'react'

type NoticeProps = {
  title: string
  detail: string
  /** Nothing else stands on the page. */
  isPage?: boolean
  children?: ReactNode
}

/** What stands where content would be: why there is none, and what can be done about it. */
export function Notice({ title, detail, isPage = false, children }: NoticeProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="flex flex-col items-center gap-1.5 rounded-card border border-border bg-surface px-6 py-14 text-center shadow-card">
      <Heading className="text-[16px]/6 font-semibold">{title}</Heading>
      <p className="max-w-md text-muted wrap-anywhere">{detail}</p>
      {children !== undefined && <div className="mt-3 flex gap-2">{children}</div>}
    </div>
  )
}
