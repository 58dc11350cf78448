import type { ReactNode } from 'react'

type AlertsSectionProps = { title: string; about: string; children: ReactNode }

export const AlertsSection = ({ title, about, children }: AlertsSectionProps) => (
  <section aria-label={title} className="rounded-card border border-border bg-surface px-4 pt-3.5 pb-3 shadow-card">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-1.5 text-note text-muted">{about}</p>
    {children}
  </section>
)
