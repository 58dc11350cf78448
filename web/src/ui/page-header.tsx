import type { ReactNode } from 'react'
import { cn } from './cn.ts'

type PageHeaderProps = { title: string; description?: ReactNode; className?: string; children?: ReactNode }

/** React component: header of a page with title and description; `children` are actions on the right, which wrap on phones. */
export const PageHeader = ({ title, description, className, children }: PageHeaderProps) => (
  <div
    className={cn(
      'mt-3.5 flex min-h-8 flex-wrap gap-x-3 gap-y-2 max-sm:mt-1.5',
      description === undefined ? 'items-center' : 'items-end',
      className,
    )}
  >
    <div className="mr-auto min-w-0">
      <h1 className="text-title font-semibold tracking-tight wrap-anywhere">{title}</h1>
      {description !== undefined && <p className="text-note text-muted">{description}</p>}
    </div>
    {children}
  </div>
)
