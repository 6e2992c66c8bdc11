#include "app/serve/served.h"

#include <map>
#include <utility>

namespace orrery::app::serve {

namespace {

/// Answers by name, each given again until its moment is over.
class Kept {
 public:
  explicit Kept(std::chrono::milliseconds moment) : moment_(moment) {}

  Response get(const std::string& name, const std::function<Response()>& make) {
    const auto found = kept_.find(name);
    if (found != kept_.end() && Clock::now() < found->second.until) return found->second.response;
    auto response = make();
    kept_.insert_or_assign(name, Answer{response, Clock::now() + moment_});
    return response;
  }
  void clear() { kept_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Answer {
    Response response;
    Clock::time_point until;
  };

  std::chrono::milliseconds moment_;
  std::map<std::string, Answer> kept_;
};

}  // namespace

WindowAnswers shared_answers(WindowAnswers answers, std::chrono::milliseconds moment) {
  const auto kept = std::make_shared<Kept>(moment);
  const auto window = std::make_shared<const WindowAnswers>(std::move(answers));
  return {.status = [=] { return kept->get("status", window->status); },
          .options = [=] { return kept->get("options", window->options); },
          .options_page =
              [=](const FormAnswer& answer) {
                // The answer to a form is for the one who sent it.
                const auto make = [&] { return window->options_page(answer); };
                return answer.option.empty() ? kept->get("page " + answer.text, make) : make();
              },
          .set_option =
              [=](const std::string& name, const std::string& value) {
                kept->clear();
                return window->set_option(name, value);
              }};
}

}  // namespace orrery::app::serve
