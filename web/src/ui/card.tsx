import type { ReactNode } from 'react'

type CardProps = {
  title: string
  description: string
  /** HTML id of the card, to which a URL fragment can refer, so that the browser scrolls to the card. */
  id?: string
  children: ReactNode
}

/** React component: bordered section of a page with heading, grey description below it, and `children` as content. */
export const Card = ({ title, description, id, children }: CardProps) => (
  <section id={id} aria-label={title} className="card min-w-0 scroll-mt-16 px-4 pt-(--card-space) pb-4">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-2 text-note text-muted">{description}</p>
    {children}
  </section>
)
