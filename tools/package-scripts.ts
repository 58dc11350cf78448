/** Service of a package, for {@link scriptsOf}. */
type PackagedService = {
  /** Name of the package and of its service, such as `vedette`. */
  readonly name: string
  /** Name of the service's data folder below `/var/lib`. */
  readonly dataFolder: string
  /** File and setting without which the service cannot run. Without the setting, an installation does not start the service. */
  readonly needs?: { readonly file: string; readonly setting: string }
  /** Name of a timer of the package that an operator may have enabled. */
  readonly timer?: string
}

/**
 * Bodies of the shell scripts of a package, without the first line. The variable `step` is `install` or `upgrade` in `afterInstall`. Both
 * other scripts run only when the package is removed.
 */
export type PackageScripts = {
  /** Runs before a first installation. Ends with a failure when the machine has the service by other means; no file is written then. */
  readonly beforeInstall: string
  readonly afterInstall: string
  readonly beforeRemove: string
  readonly afterRemove: string
}

/**
 * Returns the scripts of a package that contains a service. The first installation enables and starts the service. An upgrade restarts it
 * only if it runs. The data folder stays when the package is removed.
 */
export function scriptsOf({ name, dataFolder, needs, timer }: PackagedService): PackageScripts {
  const unit = `${name}.service`
  const units = timer === undefined ? unit : `${unit} ${timer}`
  const start = `systemctl enable --quiet ${unit}
    if [ -d /run/systemd/system ]; then systemctl start ${unit}; fi`
  const firstStart =
    needs === undefined
      ? start
      : `if grep -q '^${needs.setting}=.' ${needs.file}; then
      ${start.replaceAll('\n', '\n  ')}
    else
      echo "Set ${needs.setting} in ${needs.file}, then run: systemctl enable --now ${name}"
    fi`
  return {
    beforeInstall: `if [ -f /etc/systemd/system/${unit} ]; then
  echo "/etc/systemd/system/${unit} hides the service of this package. Run: systemctl disable --now ${name}; rm /etc/systemd/system/${unit} /usr/local/bin/${name}" >&2
  exit 1
fi
`,
    afterInstall: `if command -v systemctl >/dev/null; then
  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
  if [ "$step" = install ]; then
    ${firstStart}
  elif [ -d /run/systemd/system ]; then
    systemctl try-restart ${unit}
  fi
fi
`,
    beforeRemove: `if [ -d /run/systemd/system ]; then systemctl disable --now --quiet ${units}
elif command -v systemctl >/dev/null; then systemctl disable --quiet ${units}
fi
`,
    afterRemove: `# An update leaves the version before beside the program.
rm -f /usr/bin/${name}.previous /usr/bin/${name}.new
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ -d /var/lib/private/${dataFolder} ]; then
  echo 'The data of ${name} is still in /var/lib/private/${dataFolder}. To delete it: rm -r /var/lib/private/${dataFolder} /var/lib/${dataFolder}'
fi
`,
  }
}
