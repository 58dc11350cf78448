import type { ReactNode } from 'react'

type CardProps = {
  title: string
  description: string
  /** HTML id of the card, so that a URL fragment can scroll to it. */
  id?: string
  children: ReactNode
}

/** React component: card of a page, with a title and a grey line of description. */
export const Card = ({ title, description, id, children }: CardProps) => (
  <section id={id} aria-label={title} className="card min-w-0 scroll-mt-16 px-4 pt-(--card-space) pb-4">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-2 text-note text-muted">{description}</p>
    {children}
  </section>
)
