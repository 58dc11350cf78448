import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = { renderError: (error: unknown) => ReactNode; children: ReactNode }

/** Catches what fails while drawing, such as a part that could not be loaded. React knows only classes for this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.renderError(this.state.error)
  }
}
