import { Route, Switch } from 'wouter'
import { routePatterns } from '../../paths.ts'
import { ChangeEmailPage } from './change-email-page.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ForgotPasswordPage } from './forgot-password-page.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'
import { VerifyEmailPage } from './verify-email-page.tsx'

const AcknowledgeLinkPage = onDemand(async () => (await import('./acknowledge-link-page.tsx')).AcknowledgeLinkPage)

/**
 * React component: routes of the pages that work with and without a session: forgotten password, and links in emails and messages. These
 * links reset the password, verify or change the email address, or acknowledge an alert.
 */
export function EntryPages() {
  return (
    <Switch>
      <Route path={routePatterns.forgotPassword} component={ForgotPasswordPage} />
      <Route path={routePatterns.resetPassword}>{({ token }) => <ResetPasswordPage token={token} />}</Route>
      <Route path={routePatterns.verifyEmail}>{({ token }) => <VerifyEmailPage token={token} />}</Route>
      <Route path={routePatterns.acknowledge} component={AcknowledgeLinkPage} />
      <Route path={routePatterns.changeEmail}>{({ token }) => <ChangeEmailPage token={token} />}</Route>
    </Switch>
  )
}
