#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <utility>

#include "app/serve/net.h"
#include "app/serve/response.h"

namespace orrery::app::serve {

namespace {

using Request = http::request<http::string_body>;
/// A question that the window's thread answers.
using Question = std::function<Response()>;

/// The window answers at its next frame; while a dataset opens that can take long.
constexpr std::chrono::seconds answer_time{10};
constexpr auto only_watches = "this address is for watching: it changes nothing";
/// Whoever guesses tokens waits between guesses.
constexpr std::chrono::milliseconds refusal_time{500};
constexpr std::chrono::seconds drain_time{2};
constexpr std::uint32_t longest_header = 16384;
constexpr std::uint64_t longest_form = 65536;

/// An answer that another thread gives.
class Promise : public std::enable_shared_from_this<Promise> {
 public:
  explicit Promise(const asio::any_io_executor& executor) : timer_(executor) {}

  /// From any thread.
  void give(Response response) {
    asio::post(timer_.get_executor(), [self = shared_from_this(), response = std::move(response)]() mutable {
      self->response_ = std::move(response);
      self->timer_.cancel();
    });
  }

  asio::awaitable<Response> wait() {
    beast::error_code ignored;
    timer_.expires_after(answer_time);
    if (!response_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_return response_ ? std::move(*response_) : text_response(503, "the window is busy; try again");
  }

 private:
  asio::steady_timer timer_;
  std::optional<Response> response_;
};

std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

/// The requests of one connection, one after the other.
class Connection {
 public:
  Connection(Stream stream, std::shared_ptr<ServerContext> context)
      : stream_(std::move(stream)), context_(std::move(context)) {}

  asio::awaitable<void> run() {
    while (co_await serve_next()) {
    }
    beast::error_code ignored;
    stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  }

 private:
  const Access& access() const { return context_->options.access; }
  std::chrono::milliseconds request_time() const { return context_->options.request_time; }
  std::chrono::milliseconds idle_time() const { return context_->options.idle_time; }

  /// False when the connection is over.
  asio::awaitable<bool> serve_next() {
    stream_.expires_after(buffer_.size() == 0 ? idle_time() : request_time());
    http::request_parser<http::empty_body> head;
    head.header_limit(longest_header);
    head.body_limit(context_->options.largest_upload);
    beast::error_code failed;
    if (buffer_.size() == 0) {
      // Idle until the first byte; from then on a request is expected soon.
      const auto room = buffer_.prepare(4096);
      const auto count =
          co_await stream_.async_read_some(room, asio::redirect_error(asio::use_awaitable, failed));
      if (failed) co_return false;
      buffer_.commit(count);
      stream_.expires_after(request_time());
    }
    co_await http::async_read_header(stream_, buffer_, head,
                                     asio::redirect_error(asio::use_awaitable, failed));
    if (failed == http::error::header_limit) co_return co_await refuse(431, "the request is too long");
    if (failed == http::error::body_limit) co_return co_await refuse(413, too_large());
    if (failed) co_return false;
    if (const auto target = path_of(head.get().target()); is_upload(head.get(), target)) {
      if (const auto why = refusal_of(head.get()); why.status != 200) co_return co_await finish(why);
      co_return co_await take_upload(head, target);
    }
    // The parser judged the length by the limit of uploads.
    if (head.content_length().value_or(0) > longest_form)
      co_return co_await refuse(413, "the request is too long");
    http::request_parser<http::string_body> whole(std::move(head));
    whole.body_limit(longest_form);
    co_await http::async_read(stream_, buffer_, whole, asio::redirect_error(asio::use_awaitable, failed));
    if (failed == http::error::body_limit) co_return co_await refuse(413, "the request is too long");
    if (failed) co_return false;
    co_return co_await answer(whole.release());
  }

  asio::awaitable<bool> answer(Request request) {
    if (!host_is_ours(text(request[http::field::host]), access()))
      co_return co_await refuse(421,
                                "this name is not one of this server's: use the address that it printed, "
                                "or start it with --allow-host NAME");
    const auto path = path_of(request.target());
    if (path == "ws" && websocket::is_upgrade(request)) co_return co_await open_socket(std::move(request));
    const bool keeps = request.keep_alive();
    auto response = co_await respond(request, path);
    if (response.status == 401 || response.status == 403) co_await pause();
    co_return co_await write(std::move(response), keeps, request.method() == http::verb::head);
  }

  asio::awaitable<bool> open_socket(Request request) {
    const auto origin = text(request[http::field::origin]);
    // Scripts send no Origin; browsers always do.
    const bool ours = origin.empty() ? bearer_of(request) != Role::none
                                     : origin_is_ours(origin, text(request[http::field::host]), access());
    if (!ours) co_return co_await refuse(403, "this page is not of this server");
    const auto role = role_of(request);
    if (role == Role::none) co_return co_await refuse(401, "no token");
    co_await serve_browser(std::move(stream_), std::move(request), role, context_);
    co_return false;
  }

  Role bearer_of(const auto& request) const {
    constexpr std::string_view scheme = "Bearer ";
    const auto field = text(request[http::field::authorization]);
    return field.starts_with(scheme) ? role_of_token(field.substr(scheme.size()), access()) : Role::none;
  }
  Role role_of(const auto& request) const {
    const auto bearer = bearer_of(request);
    return bearer != Role::none ? bearer : role_of_cookies(text(request[http::field::cookie]), access());
  }

  /// The path below the base path: "", "ws", "files/a.png". The base path may be there or taken off by a
  /// proxy.
  std::string path_of(beast::string_view target) const {
    auto path = text(target);
    path = path.substr(0, path.find('?'));
    if (path.starts_with(access().base_path)) return std::string(path.substr(access().base_path.size()));
    return std::string(path.substr(path.starts_with('/') ? 1 : 0));
  }
  static std::string query_of(beast::string_view target) {
    const auto whole = text(target);
    const auto mark = whole.find('?');
    return mark == std::string_view::npos ? std::string() : std::string(whole.substr(mark + 1));
  }

  Response redirect_with(std::string_view token) const {
    return {.status = 303,
            .body = "",
            .fields = {{"Location", access().base_path}, {"Set-Cookie", cookie_field(token, access())}}};
  }

  asio::awaitable<Response> respond(const Request& request, const std::string& path) {
    const bool gets = request.method() == http::verb::get || request.method() == http::verb::head;
    const bool posts = request.method() == http::verb::post;
    if (!gets && !posts) co_return text_response(405, "this server answers GET and POST");
    if (path == "style.css" && gets) co_return page_file(path);
    if (path.empty() && gets) {
      const auto token = form_value(query_of(request.target()), "token");
      if (!token.empty()) {
        if (role_of_token(token, access()) == Role::none) co_return login_page(true);
        co_return redirect_with(token);
      }
    }
    if (path == "login" && posts) {
      const auto token = form_value(request.body(), "token");
      if (role_of_token(token, access()) == Role::none) co_return login_page(true);
      co_return redirect_with(token);
    }
    const auto role = role_of(request);
    if (role == Role::none) co_return login_page(false);
    if (posts) co_return co_await respond_to_post(request, path, role);
    co_return co_await respond_to_get(path, role);
  }

  asio::awaitable<Response> respond_to_post(const Request& request, const std::string& path, Role role) {
    const auto origin = text(request[http::field::origin]);
    if (!origin.empty() && !origin_is_ours(origin, text(request[http::field::host]), access()))
      co_return text_response(403, "this page is not of this server");
    if (role != Role::drives) co_return text_response(403, only_watches);
    if (path != "options" && path != "options.json") co_return text_response(404, "there is no such page");
    co_return co_await set_option(request, path);
  }

  asio::awaitable<Response> set_option(const Request& request, const std::string& path) {
    std::string name = form_value(request.body(), "name"), value = form_value(request.body(), "value");
    const bool is_json = text(request[http::field::content_type]).starts_with("application/json");
    if (is_json) {
      const auto json = nlohmann::json::parse(request.body(), nullptr, false);
      const auto member = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
      };
      name = member("name");
      value = member("value");
    }
    if (name.empty()) co_return text_response(400, "give name=OPTION and value=VALUE");
    const bool page = path == "options" && !is_json;
    Question question = [&answers = context_->served.answers, name, value, page] {
      auto answer = answers.set_option(name, value);
      if (!page) return answer;
      auto html = answers.options_page({name, value, answer.body, answer.status != 200});
      html.status = answer.status;
      return html;
    };
    co_return co_await ask(std::move(question));
  }

  asio::awaitable<Response> respond_to_get(std::string path, Role role) {
    if (path.empty()) co_return page_file("index.html");
    Question question;
    const auto& answers = context_->served.answers;
    if (path == "status.json") question = answers.status;
    if (path == "options.json") question = answers.options;
    if (path == "options")
      question = [&answers, role] {
        return answers.options_page(role == Role::drives ? FormAnswer{} : FormAnswer{.text = only_watches});
      };
    if (question) co_return co_await ask(std::move(question));
    if (path == "screenshot.png") co_return co_await screenshot();
    if (path == "files.json") co_return json_response(context_->served.downloads.list());
    if (path.starts_with("files/")) co_return download(path.substr(6));
    if (path == "login.html") co_return text_response(404, "there is no such page");
    co_return page_file(path);
  }

  asio::awaitable<Response> ask(Question question) {
    const auto promise = std::make_shared<Promise>(stream_.get_executor());
    context_->served.desk.put_errand(
        [promise, question = std::move(question)] { promise->give(question()); });
    stream_.expires_after(2 * answer_time);
    co_return co_await promise->wait();
  }

  asio::awaitable<Response> screenshot() {
    const auto promise = std::make_shared<Promise>(stream_.get_executor());
    context_->served.broadcaster.request_screenshot([promise](const std::vector<std::byte>& png) {
      promise->give({.type = "image/png", .body = {reinterpret_cast<const char*>(png.data()), png.size()}});
    });
    context_->served.desk.wake();
    stream_.expires_after(2 * answer_time);
    co_return co_await promise->wait();
  }

  /// Only what this run wrote, by its name: no path of a request ever reaches the file system.
  Response download(const std::string& name) const {
    const auto plain = form_value("name=" + name, "name");
    const auto file = context_->served.downloads.find(plain);
    if (!file) return text_response(404, "this run has written no such file");
    std::ifstream stream(*file, std::ios::binary);
    if (!stream) return text_response(410, "the file is no longer there");
    return {.type = "application/octet-stream",
            .body = {std::istreambuf_iterator<char>(stream), {}},
            .fields = {
                {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", safe_file_name(plain))}}};
  }

  static bool is_upload(const auto& head, const std::string& path) {
    return head.method() == http::verb::put && path.starts_with("upload/");
  }

  /// Why an upload is refused before its first byte is read; status 200 if it is not.
  Response refusal_of(const auto& head) const {
    if (!host_is_ours(text(head[http::field::host]), access()))
      return text_response(421, "not this server's name");
    const auto origin = text(head[http::field::origin]);
    if (!origin.empty() && !origin_is_ours(origin, text(head[http::field::host]), access()))
      return text_response(403, "this page is not of this server");
    const auto role = role_of(head);
    if (role == Role::none) return text_response(401, "no token");
    if (role != Role::drives) return text_response(403, only_watches);
    return {};
  }

  asio::awaitable<bool> take_upload(http::request_parser<http::empty_body>& head, std::string path) {
    const auto name = safe_file_name(form_value("name=" + path.substr(7), "name"));
    if (name.empty()) co_return co_await refuse(400, "the file needs a name");
    // A folder of its own: a file of the same name may be open.
    const auto folder = context_->options.uploads / random_token().substr(0, 8);
    std::error_code made;
    std::filesystem::create_directories(folder, made);
    http::request_parser<http::file_body> whole(std::move(head));
    whole.body_limit(context_->options.largest_upload);
    beast::error_code failed;
    whole.get().body().open((folder / name).c_str(), beast::file_mode::write, failed);
    const auto cannot_keep = "the server cannot keep the file: " + failed.message();
    if (failed) co_return co_await refuse(507, cannot_keep);
    while (!failed && !whole.is_done()) {
      // Each part in its time: a large file may take long.
      stream_.expires_after(request_time());
      co_await http::async_read_some(stream_, buffer_, whole,
                                     asio::redirect_error(asio::use_awaitable, failed));
    }
    const bool keeps = whole.get().keep_alive();
    whole.get().body().close();
    if (failed) {
      std::filesystem::remove_all(folder, made);
      if (failed != http::error::body_limit) co_return false;
      co_return co_await refuse(413, too_large());
    }
    context_->served.desk.put_files({folder / name});
    auto opening = text_response(200, "opening " + name);
    co_return co_await write(std::move(opening), keeps, false);
  }

  asio::awaitable<void> pause() {
    beast::error_code ignored;
    asio::steady_timer timer(stream_.get_executor(), refusal_time);
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  static std::string_view too_large() {
    return "the file is too large; start the server with a larger --upload-limit";
  }

  /// Answers and ends the connection: what follows of the request is not read. No coroutine itself, and `why`
  /// is a view: GCC 12 destroys objects that are made within a co_await expression twice.
  asio::awaitable<bool> refuse(int status, std::string_view why) {
    return finish(text_response(status, std::string(why)));
  }
  asio::awaitable<bool> finish(Response response) {
    if (response.status == 401 || response.status == 403) co_await pause();
    co_await write(std::move(response), false, false);
    co_await drain();
    co_return false;
  }

  /// Reads what is still sent, for a moment: closed earlier, the system would drop the answer with it.
  asio::awaitable<void> drain() {
    beast::error_code failed;
    stream_.socket().shutdown(asio::socket_base::shutdown_send, failed);
    stream_.expires_after(drain_time);
    std::array<char, 65536> unread{};
    while (!failed)
      co_await stream_.async_read_some(asio::buffer(unread),
                                       asio::redirect_error(asio::use_awaitable, failed));
  }

  asio::awaitable<bool> write(Response response, bool keeps, bool head_only) {
    http::response<http::string_body> message;
    message.version(11);
    message.result(static_cast<unsigned>(response.status));
    message.set(http::field::content_type, response.type);
    for (const auto& fields : {safety_fields(), response.fields})
      for (const auto& [name, value] : fields) message.set(name, value);
    message.keep_alive(keeps);
    message.body() = std::move(response.body);
    message.prepare_payload();
    if (head_only) message.body().clear();
    stream_.expires_after(idle_time());
    beast::error_code failed;
    http::response_serializer<http::string_body> serializer(message);
    if (head_only)
      co_await http::async_write_header(stream_, serializer,
                                        asio::redirect_error(asio::use_awaitable, failed));
    else
      co_await http::async_write(stream_, serializer, asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed && keeps;
  }

  Stream stream_;
  std::shared_ptr<ServerContext> context_;
  beast::flat_buffer buffer_{65536};
};

}  // namespace

asio::awaitable<void> serve_connection(Stream stream, std::shared_ptr<ServerContext> context) {
  Connection connection(std::move(stream), std::move(context));
  co_await connection.run();
}

}  // namespace orrery::app::serve
