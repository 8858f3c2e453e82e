/** A setting that cannot be used. The message names it and the allowed values, and never repeats a secret. */
export class InvalidSetting extends Error {
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(`${setting}: ${message}`);
    this.name = "InvalidSetting";
    this.setting = setting;
  }
}
