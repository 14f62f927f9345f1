// One file for each finished job, written under another name, brought to the disk and then linked
// to its place: a row is there as a whole or not at all, and the first of two stays. A row is a
// line of JSON behind its SHA-256, so that a damaged one is noticed and its job run again.

#include "rnnalf/study/results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/report/comparison_json.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestRow = std::size_t{256} << 20U;
constexpr std::size_t kLargestLog = std::size_t{64} << 20U;
constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kPlanFormat = "rnnalf.study-plan/1";

[[noreturn]] void cannot_write(const fs::path& file, int error) {
  throw FileError(file.string(), fmt::format("cannot write: {}", std::strerror(error)));
}

/// Bytes that are no UTF-8 (names of files may have such) become U+FFFD.
std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) cannot_write(folder, error.value());
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // where folders cannot be synced, they need not be
  ::close(descriptor);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// What the text is for is done when this returns: it is on the disk.
void write_to_disk(const fs::path& file, std::string_view text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) cannot_write(file, errno);
  int error = 0;
  try {
    write_all(descriptor, text);
    if (::fsync(descriptor) != 0) error = errno;
  } catch (const std::system_error& failure) {
    error = failure.code().value();
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return;
  ::unlink(file.c_str());
  cannot_write(file, error);
}

/// Unique among the processes of all machines that see the folder.
std::string temporary_name(const fs::path& file) {
  static std::atomic<unsigned> number = 0;
  return fmt::format(".{}-{}-{}-{}", file.filename().string(), this_host(), ::getpid(), number++);
}

Json words_json(const std::vector<FoundWord>& words) {
  Json all = Json::array();
  for (const FoundWord& word : words) {
    all.push_back({{"word", word.word},
                   {"network", word.answer},
                   {"target", word.target ? Json(*word.target) : Json(nullptr)},
                   {"oracle", word.oracle},
                   {"at_seconds", word.at_seconds},
                   {"seconds", word.seconds}});
  }
  return all;
}

StudyRow row_of(const Json& json) {
  StudyRow row;
  auto cell = parse_cell(json.at("cell").dump());
  if (!cell) throw Json::other_error::create(501, "no cell", &json);
  row.cell = std::move(*cell);
  json.at("commit").get_to(row.commit);
  json.at("machine").get_to(row.machine);
  json.at("host").get_to(row.host);
  json.at("message").get_to(row.message);
  for (const Json& size : json.at("sizes")) row.sizes.emplace_back(size.at(0), size.at(1));
  for (const Json& word : json.at("counterexamples")) {
    FoundWord found{word.at("word"),   word.at("network"),    {},
                    word.at("oracle"), word.at("at_seconds"), word.at("seconds")};
    if (!word.at("target").is_null()) found.target = word.at("target").get<std::string>();
    row.counterexamples.push_back(std::move(found));
  }
  // Rows of earlier programs have none.
  if (json.contains("dfa") && !json["dfa"].is_null()) row.dfa = one_line(json["dfa"]);
  return row;
}

Json job_json(const StudyJob& job) {
  return {{"key", job.key},
          {"train", job.kind == StudyJob::Kind::Train ? Json(job.name) : Json(nullptr)},
          {"experiment", job.experiment},
          {"network", job.network},
          {"way", job.way},
          {"seed", job.seed},
          {"time", job.time.count()},
          {"memory", job.memory}};
}

StudyJob job_of(const Json& json) {
  StudyJob job;
  json.at("key").get_to(job.key);
  if (const Json& train = json.at("train"); !train.is_null()) {
    job.kind = StudyJob::Kind::Train;
    train.get_to(job.name);
  }
  json.at("experiment").get_to(job.experiment);
  json.at("network").get_to(job.network);
  json.at("way").get_to(job.way);
  json.at("seed").get_to(job.seed);
  job.time = std::chrono::duration<double>(json.at("time").get<double>());
  json.at("memory").get_to(job.memory);
  return job;
}

/// A plan is named for what is in it.
std::string plan_name(const std::string& study, const std::string& jobs) {
  return sha256(study + jobs).substr(0, 16);
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor not known";
}

}  // namespace

std::string this_host() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "host";
}

std::string this_machine() {
  utsname names{};
  const bool known = ::uname(&names) == 0;
  return fmt::format(
      "{}, {} cores, {}", processor(), std::thread::hardware_concurrency(),
      known ? fmt::format("{} {}", names.sysname, names.machine) : "system not known");
}

std::string row_line(const StudyRow& row) {
  Json sizes = Json::array();
  for (const auto& [seconds, states] : row.sizes) sizes.push_back({seconds, states});
  const std::string json = one_line({{"format", "rnnalf.study-row/1"},
                                     {"cell", Json::parse(cell_json(row.cell))},
                                     {"commit", row.commit},
                                     {"machine", row.machine},
                                     {"host", row.host},
                                     {"message", row.message},
                                     {"sizes", std::move(sizes)},
                                     {"counterexamples", words_json(row.counterexamples)},
                                     {"dfa", row.dfa.empty() ? Json() : Json::parse(row.dfa)}});
  return sha256(json) + " " + json + "\n";
}

std::optional<StudyRow> parse_row(std::string_view line) {
  if (!line.ends_with('\n')) return std::nullopt;
  line.remove_suffix(1);
  if (line.size() <= kHashDigits || line[kHashDigits] != ' ') return std::nullopt;
  const std::string_view json = line.substr(kHashDigits + 1);
  if (sha256(json) != line.substr(0, kHashDigits)) return std::nullopt;
  try {
    return row_of(Json::parse(json));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string last_line(const fs::path& log) {
  std::string text;
  try {
    text = read_file(log, kLargestLog);
  } catch (const FileError&) {
    return "";
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

bool write_once(const fs::path& file, std::string_view text) {
  make_folder(file.parent_path());
  const fs::path temporary = file.parent_path() / temporary_name(file);
  write_to_disk(temporary, text);
  // Linking, unlike renaming, does not replace: of two that finish the same job the first stays.
  int error = ::link(temporary.c_str(), file.c_str()) == 0 ? 0 : errno;
  if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS) {  // no links in this file system
    error = fs::exists(file) ? EEXIST : ::rename(temporary.c_str(), file.c_str()) == 0 ? 0 : errno;
  }
  ::unlink(temporary.c_str());
  if (error == EEXIST) return false;
  if (error != 0) cannot_write(file, error);
  sync_folder(file.parent_path());
  return true;
}

fs::path StudyResults::row_file(const std::string& key) const {
  return folder_ / "rows" / (key + ".row");
}

fs::path StudyResults::log_file(const std::string& key) const {
  return folder_ / "logs" / (key + ".log");
}

std::set<std::string> StudyResults::keys() const {
  std::set<std::string> keys;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_ / "rows", error)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".row" && !file.filename().string().starts_with('.')) {
      keys.insert(file.stem().string());
    }
  }
  return keys;
}

std::optional<StudyRow> StudyResults::row(const std::string& key) const {
  const fs::path file = row_file(key);
  if (!fs::exists(file)) return std::nullopt;
  auto row = parse_row(read_file(file, kLargestRow));
  if (!row) throw DamagedRow(file.string());
  return row;
}

bool StudyResults::add(const std::string& key, const StudyRow& row) const {
  return write_once(row_file(key), row_line(row));
}

void StudyResults::remove(const std::string& key) const {
  std::error_code error;
  fs::remove(row_file(key), error);
  if (error) cannot_write(row_file(key), error.value());
}

std::string StudyResults::add_plan(const Study& study, const std::vector<StudyJob>& jobs) const {
  std::string lines = one_line({{"format", kPlanFormat},
                                {"file", study.file},
                                {"folder", study.folder.string()},
                                {"jobs", jobs.size()}}) +
                      "\n";
  for (const StudyJob& job : jobs) lines += one_line(job_json(job)) + "\n";
  std::string plan = plan_name(study.text, lines);
  write_once(folder_ / "plans" / plan / "study.toml", study.text);
  write_once(folder_ / "plans" / plan / "jobs", lines);
  return plan;
}

std::pair<Study, StudyJob> StudyResults::planned_job(const std::string& plan,
                                                     std::size_t index) const {
  const fs::path folder = folder_ / "plans" / plan;
  const std::string text = read_file(folder / "study.toml", kLargestRow);
  const std::string lines = read_file(folder / "jobs", kLargestRow);
  // A plan that somebody else put there under this name could run commands of his.
  if (plan_name(text, lines) != plan) {
    throw FileError(folder.string(),
                    "the plan is not the one that rnnalf study run wrote. Remove "
                    "this folder and run the study again");
  }
  std::istringstream file(lines);
  std::string first;
  std::string line;
  std::getline(file, first);
  for (std::size_t i = 0; i <= index && file; ++i) std::getline(file, line);
  if (!file || line.empty()) {
    throw FileError((folder / "jobs").string(),
                    fmt::format("expected a plan with a job {}, found none", index));
  }
  try {
    const Json header = Json::parse(first);
    Study study = parse_study(text, header.at("file").get<std::string>(),
                              fs::path(header.at("folder").get<std::string>()));
    return {std::move(study), job_of(Json::parse(line))};
  } catch (const Json::exception&) {  // by another program
    throw FileError((folder / "jobs").string(),
                    "expected a plan that rnnalf study run wrote, found something else");
  }
}

fs::path results_folder(const fs::path& study_file) {
  return fs::absolute(study_file).replace_extension(".results").lexically_normal();
}

std::vector<std::pair<std::size_t, StudyRow>> rows_of(const StudyPlan& plan,
                                                      const StudyResults& results) {
  std::vector<std::pair<std::size_t, StudyRow>> rows;
  std::map<std::string, std::optional<StudyRow>> read;
  const std::set<std::string> there = results.keys();
  for (const StudyJob& job : plan.jobs) {
    if (!there.contains(job.key)) continue;
    const auto [found, is_new] = read.try_emplace(job.key);
    if (is_new) found->second = results.row(job.key);
    if (found->second) rows.emplace_back(job.experiment, *found->second);
  }
  return rows;
}

std::size_t other_rows(const StudyPlan& plan, const StudyResults& results) {
  std::set<std::string> others = results.keys();
  for (const StudyJob& job : plan.jobs) others.erase(job.key);
  return others.size();
}

}  // namespace rnnalf
