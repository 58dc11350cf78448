import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  detail: string
  /** True when this placeholder is the only content of the page; its title is then the page's main heading, `h1`. */
  isPage?: boolean
  /** React nodes: buttons or links for the next step, such as "Add system", below the text of the empty state. */
  children?: ReactNode
}

/**
 * React component: placeholder for missing content, such as an empty list. `title` says what is missing, `detail` why and what to do next;
 * `children` are buttons for that.
 */
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
