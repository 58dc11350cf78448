import type { ReactNode } from 'react'

type SettingsCardProps = { title: string; about: string; children: ReactNode }

export const SettingsCard = ({ title, about, children }: SettingsCardProps) => (
  <section aria-label={title} className="rounded-card border border-border bg-surface px-4 pt-3.5 pb-4 shadow-card">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-2 text-note text-muted">{about}</p>
    {children}
  </section>
)
