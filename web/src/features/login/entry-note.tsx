import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { paths } from '../../paths.ts'
import * as words from '../../words/messages.js'

/**
 * React component: message (`children`) about the outcome of a form on the sign-in pages, such as "email sent". Screen readers announce it
 * when it appears.
 */
export const EntryNote = ({ children }: { children: ReactNode }) => (
  <output className="rounded-control border border-border bg-sunken px-3 py-2 text-note wrap-anywhere">{children}</output>
)

const look = 'self-center py-1 text-note text-muted hover:text-text hover:underline'

export const BackToSignIn = ({ onLeave }: { onLeave?: () => void }) => (
  <Link href={paths.home} className={look} onClick={onLeave}>
    {words.back_to_sign_in()}
  </Link>
)

export const ToDashboard = () => (
  <Link href={paths.home} className={look}>
    {words.acknowledge_link_dashboard()}
  </Link>
)

/**
 * React component: error message that an emailed link has expired or was already used, in place of the form on its page. `children` are
 * links below it.
 */
export function LinkIsOver({ children }: { children?: ReactNode }) {
  return (
    <>
      <p role="alert" className="rounded-control bg-crit-soft px-3 py-2 text-note text-crit">
        {words.link_over()}
      </p>
      {children}
    </>
  )
}

export const AskAgain = () => (
  <Link href={paths.forgotPassword} className={look}>
    {words.link_ask_again()}
  </Link>
)
