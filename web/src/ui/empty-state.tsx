import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  detail: string
  /** It is all that the page shows, so its title is the heading of the page. */
  isPage?: boolean
  /** Buttons or links: the next step. */
  children?: ReactNode
}

/** Says in place of content why there is none, and what to do next. */
export function EmptyState({ title, detail, isPage = false, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="card flex flex-col items-center gap-1.5 px-6 py-14 text-center">
      <Heading className="text-[16px]/6 font-semibold">{title}</Heading>
      <p className="max-w-md text-muted wrap-anywhere">{detail}</p>
      {children !== undefined && <div className="mt-3 flex gap-2">{children}</div>}
    </div>
  )
}
